model M
  Real x;
  Real y(start = 3, fixed = end);
equation
  der(x) = -x;
  if time < 2 then
    y = 2*x;
  else
    y = 3*x;
  end if;
end M;
