model Chain "A chain of rods, let go"
  import Modelica.Mechanics.MultiBody;
  parameter Integer n = 4 "number of rods";
  parameter Modelica.Units.SI.Length L = 0.3 "length of a rod";
  parameter Modelica.Units.SI.RotationalDampingConstant d = 0.02 "damping of every hinge";

  model Rod "A rod that hangs on a hinge with friction"
    parameter Modelica.Units.SI.Length L "length";
    parameter Modelica.Units.SI.RotationalDampingConstant d = 0 "damping of the hinge";
    parameter Modelica.Units.SI.Angle phi = 0 "angle at the start";
    MultiBody.Interfaces.Frame_a frame_a;
    MultiBody.Interfaces.Frame_b frame_b;
    MultiBody.Joints.Revolute hinge(useAxisFlange = true, phi(start = phi, fixed = true), w(fixed = true));
    Modelica.Mechanics.Rotational.Components.Damper damper(d = d);
    MultiBody.Parts.BodyCylinder body(r = {L, 0, 0}, diameter = L/10);
  equation
    connect(frame_a, hinge.frame_a);
    connect(hinge.frame_b, body.frame_a);
    connect(body.frame_b, frame_b);
    connect(damper.flange_a, hinge.support);
    connect(damper.flange_b, hinge.axis);
  end Rod;

  inner MultiBody.World world(n = {0, -1, 0});
  Rod rod[n](each L = L, each d = d, phi = {if i == 1 then -0.5 else 0.2*i for i in 1:n});
equation
  connect(world.frame_b, rod[1].frame_a);
  for i in 1:n - 1 loop
    connect(rod[i].frame_b, rod[i + 1].frame_a);
  end for;
  annotation (experiment(StopTime = 3, Interval = 0.01, Tolerance = 1e-8));
end Chain;
