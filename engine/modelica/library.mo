// What models of the Modelica Standard Library share, so far as a model made of components needs it: names of
// connectors, constants, classes that are made of classes of the catalogue, functions. Our own words.
package Modelica
  package Constants
    constant Real pi = 3.141592653589793; constant Real e = 2.718281828459045;
    constant Real D2R = pi/180; constant Real R2D = 180/pi;
    constant Real gamma = 0.57721566490153286061; constant Real eps = 2.220446049250313e-16;
    constant Real small = 2.2250738585072014e-308; constant Real inf = 1.7976931348623157e308;
    constant Integer Integer_inf = 2147483647; constant Real c = 299792458;
    constant Real g_n = 9.80665; constant Real G = 6.67430e-11; constant Real h = 6.62607015e-34;
    constant Real q = 1.602176634e-19; constant Real F = q*N_A; constant Real k = 1.380649e-23;
    constant Real R = k*N_A; constant Real sigma = 5.670374419e-8;
    constant Real N_A = 6.02214076e23; constant Real mu_0 = 4*pi*1.00000000055e-7;
    constant Real epsilon_0 = 1/(4*pi*1.00000000055e-7*299792458.0*299792458.0);
    constant Real T_zero = -273.15; constant Real mue_0 = 4*pi*1e-7;
  end Constants;
  package Blocks
    package Types
      type Init = enumeration(NoInit, SteadyState, InitialState, InitialOutput);
      type InitPID = enumeration(DoNotUse_InitialIntegratorState, NoInit, SteadyState,
        InitialState, InitialOutput);
      type SimpleController = enumeration(P, PI, PD, PID);
      type Smoothness = enumeration(LinearSegments, ContinuousDerivative, ConstantSegments,
        MonotoneContinuousDerivative1, MonotoneContinuousDerivative2, ModifiedContinuousDerivative);
      type Extrapolation = enumeration(HoldLastPoint, LastTwoPoints, Periodic, NoExtrapolation);
      type TimeEvents = enumeration(Always, AtDiscontinuities, NoTimeEvents);
      type LimiterHomotopy = enumeration(NoHomotopy, Linear, UpperLimit, LowerLimit);
      type VariableLimiterHomotopy = enumeration(NoHomotopy, Fixed);
      type StateSelection = enumeration(ByPreference);
      type Regularization = enumeration(Exp, Sine, Linear, CoSine);
    end Types;
    package Interfaces
      connector RealInput = input Real;
      connector RealOutput = output Real;
      connector BooleanInput = input Boolean;
      connector BooleanOutput = output Boolean;
      connector IntegerInput = input Integer;
      connector IntegerOutput = output Integer;
      partial block SO RealOutput y; end SO;
      partial block MO parameter Integer nout = 1; RealOutput y[nout]; end MO;
      partial block SISO RealInput u; RealOutput y; end SISO;
      partial block SI2SO RealInput u1; RealInput u2; RealOutput y; end SI2SO;
      partial block MISO parameter Integer nin = 1; RealInput u[nin]; RealOutput y; end MISO;
      partial block MIMO parameter Integer nin = 1; parameter Integer nout = 1;
        RealInput u[nin]; RealOutput y[nout]; end MIMO;
      partial block SIMO parameter Integer nout = 1; RealInput u; RealOutput y[nout]; end SIMO;
      partial block MI2MO parameter Integer n = 1; RealInput u1[n]; RealInput u2[n];
        RealOutput y[n]; end MI2MO;
      partial block MVcontrol parameter Integer nu_s = 1; parameter Integer nu_m = 1;
        parameter Integer ny = 1; RealInput u_s[nu_s]; RealInput u_m[nu_m]; RealOutput y[ny];
        end MVcontrol;
      partial block MIMOs parameter Integer n = 1; RealInput u[n]; RealOutput y[n]; end MIMOs;
      partial block SVcontrol RealInput u_s; RealInput u_m; RealOutput y; end SVcontrol;
      partial block BooleanSignalSource BooleanOutput y; end BooleanSignalSource;
      partial block SignalSource extends SO; parameter Real offset = 0;
        parameter Real startTime = 0; end SignalSource;
      partial block IntegerSO IntegerOutput y; end IntegerSO;
      partial block IntegerSISO IntegerInput u; IntegerOutput y; end IntegerSISO;
      partial block PartialIntegerSISO extends IntegerSISO; end PartialIntegerSISO;
      partial block IntegerSIBooleanSO IntegerInput u; BooleanOutput y; end IntegerSIBooleanSO;
      partial block partialBooleanSISO BooleanInput u; BooleanOutput y; end partialBooleanSISO;
      partial block BooleanSISO extends partialBooleanSISO; end BooleanSISO;
      partial block partialBooleanSI2SO BooleanInput u1; BooleanInput u2; BooleanOutput y;
        end partialBooleanSI2SO;
      partial block partialBooleanSO BooleanOutput y; end partialBooleanSO;
      partial block partialBooleanSource BooleanOutput y; end partialBooleanSource;
      partial block partialBooleanComparison RealInput u1; RealInput u2; BooleanOutput y;
        end partialBooleanComparison;
      partial block SI2BooleanSO extends partialBooleanComparison; end SI2BooleanSO;
    end Interfaces;
    package Interaction
      package Show
        model RealValue parameter Boolean use_numberPort = true; input Real number = 0;
          parameter Integer significantDigits = 2; Interfaces.RealInput numberPort if use_numberPort;
          end RealValue;
        model IntegerValue parameter Boolean use_numberPort = true; input Integer number = 0;
          Interfaces.IntegerInput numberPort if use_numberPort; end IntegerValue;
        model BooleanValue parameter Boolean use_activePort = true; input Boolean active = true;
          Interfaces.BooleanInput activePort if use_activePort; end BooleanValue;
      end Show;
    end Interaction;
    package Math
      block IntegerToReal Interfaces.IntegerInput u; Interfaces.RealOutput y; equation y = u;
        end IntegerToReal;
      block LinearDependency extends Interfaces.SI2SO;
        parameter Real y0 = 0; parameter Real k1 = 0; parameter Real k2 = 0;
        equation y = y0 + k1*u1 + k2*u2; end LinearDependency;
      block Exponentiation extends Interfaces.SI2SO; equation y = u1^u2; end Exponentiation;
    end Math;
    package Routing
      block Multiplex parameter Integer n = 0; Interfaces.RealInput u[n]; Interfaces.RealOutput y[n];
        equation connect(u, y); end Multiplex;
      block DeMultiplex parameter Integer n = 0; Interfaces.RealInput u[n];
        Interfaces.RealOutput y[n]; equation connect(u, y); end DeMultiplex;
      block IntegerPassThrough extends Interfaces.IntegerSISO; equation y = u;
        end IntegerPassThrough;
    end Routing;
    package Sources
      block BooleanTable parameter Real table[:] = {0, 1}; parameter Boolean startValue = false;
        parameter Modelica.Blocks.Types.Extrapolation extrapolation =
          Modelica.Blocks.Types.Extrapolation.HoldLastPoint;
        parameter Real startTime = -1e100; parameter Real shiftTime = 0;
        Interfaces.BooleanOutput y; CombiTimeTable combiTimeTable(
          table = cat(1, {{table[1], if startValue then 1 else 0}},
            {{table[i], mod(if startValue then i + 1 else i, 2)} for i in 1:size(table, 1)}),
          smoothness = Modelica.Blocks.Types.Smoothness.ConstantSegments,
          extrapolation = extrapolation, startTime = startTime, shiftTime = shiftTime);
        equation y = combiTimeTable.y[1] > 0.5; end BooleanTable;
      block IntegerTable parameter Real table[:, 2];
        parameter Modelica.Blocks.Types.Extrapolation extrapolation =
          Modelica.Blocks.Types.Extrapolation.HoldLastPoint;
        parameter Real startTime = -1e100; parameter Real shiftTime = 0;
        Interfaces.IntegerOutput y; CombiTimeTable combiTimeTable(table = table,
          smoothness = Modelica.Blocks.Types.Smoothness.ConstantSegments,
          extrapolation = extrapolation, startTime = startTime, shiftTime = shiftTime);
        equation y = combiTimeTable.y[1]; end IntegerTable;
      block IntegerConstant parameter Integer k = 1; Interfaces.IntegerOutput y;
        equation y = k; end IntegerConstant;
      block IntegerStep parameter Integer height = 1; parameter Integer offset = 0;
        parameter Real startTime = 0; Interfaces.IntegerOutput y;
        equation y = offset + (if time < startTime then 0 else height); end IntegerStep;
      partial block Swinging extends Interfaces.SO;
        parameter Boolean useConstantAmplitude = false; parameter Real constantAmplitude = 1;
        parameter Boolean useConstantFrequency = false; parameter Real constantFrequency = 1;
        parameter Real offset = 0; Real phi(start = 0);
        Interfaces.RealInput amplitude if not useConstantAmplitude;
        Interfaces.RealInput f if not useConstantFrequency;
        equation
        if useConstantFrequency then der(phi) = 2*Modelica.Constants.pi*constantFrequency;
        else der(phi) = 2*Modelica.Constants.pi*f; end if; end Swinging;
      block SineVariableFrequencyAndAmplitude extends Swinging; equation
        if useConstantAmplitude then y = offset + constantAmplitude*sin(phi);
        else y = offset + amplitude*sin(phi); end if; end SineVariableFrequencyAndAmplitude;
      block CosineVariableFrequencyAndAmplitude extends Swinging; equation
        if useConstantAmplitude then y = offset + constantAmplitude*cos(phi);
        else y = offset + amplitude*cos(phi); end if; end CosineVariableFrequencyAndAmplitude;
    end Sources;
  end Blocks;
  package Math
    function asinh input Real u; output Real y;
      algorithm
      y := noEvent(if u >= 0 then log(u + sqrt(u*u + 1)) else -log(sqrt(u*u + 1) - u)); end asinh;
    function acosh input Real u; output Real y;
      algorithm y := log(u + sqrt((u - 1)*(u + 1))); end acosh;
    function atan3 input Real u1; input Real u2; input Real y0 = 0; output Real y;
      protected Real a = atan2(u1, u2);
      algorithm y := a + 2*pi*noEvent(floor((pi + y0 - a)/(2*pi))); end atan3;
    function wrapAngle input Real u; input Boolean positiveRange = false; output Real y;
      protected Real a = noEvent(mod(u, 2*pi));
      algorithm y := if positiveRange or noEvent(a <= pi) then a else a - 2*pi; end wrapAngle;
    constant Real pi = 3.141592653589793;
    package Vectors
      function norm input Real v[:]; input Real p = 2; output Real result;
        algorithm
        if p == 2 then result := sqrt(v*v);
        elseif p == Modelica.Constants.inf then result := max(abs(v));
        else result := sum(abs(v[i])^p for i in 1:size(v, 1))^(1/p); end if; end norm;
      function normalizeWithAssert input Real v[:]; output Real result[size(v, 1)];
        algorithm result := v/sqrt(v*v); end normalizeWithAssert;
      function reverse input Real v[:]; output Real result[size(v, 1)];
        algorithm result := {v[end + 1 - i] for i in 1:size(v, 1)}; end reverse;
    end Vectors;
    package Matrices
      function trace input Real A[:, size(A, 1)]; output Real result;
        algorithm result := sum(A[i, i] for i in 1:size(A, 1)); end trace;
      function det input Real A[:, size(A, 1)]; output Real result;
        protected Integer n = size(A, 1); Integer p; Real M[size(A, 1), size(A, 1)] = A; Real t;
        algorithm
        if n == 1 then result := A[1, 1];
        elseif n == 2 then result := A[1, 1]*A[2, 2] - A[1, 2]*A[2, 1];
        elseif n == 3 then
          result := A[1, 1]*(A[2, 2]*A[3, 3] - A[2, 3]*A[3, 2])
            - A[1, 2]*(A[2, 1]*A[3, 3] - A[2, 3]*A[3, 1])
            + A[1, 3]*(A[2, 1]*A[3, 2] - A[2, 2]*A[3, 1]);
        else
          result := 1;
          for k in 1:n loop
            p := k;
            for i in k + 1:n loop if abs(M[i, k]) > abs(M[p, k]) then p := i; end if; end for;
            if p <> k then result := -result; end if;
            for j in 1:n loop t := M[k, j]; M[k, j] := M[p, j]; M[p, j] := t; end for;
            result := result*M[k, k];
            if M[k, k] == 0 then return; end if;
            for i in k + 1:n loop
              t := M[i, k]/M[k, k];
              for j in k:n loop M[i, j] := M[i, j] - t*M[k, j]; end for;
            end for;
          end for;
        end if; end det;
      function solve input Real A[:, size(A, 1)]; input Real b[size(A, 1)];
        output Real x[size(A, 1)];
        protected Integer n = size(A, 1); Integer p; Real M[size(A, 1), size(A, 1)] = A; Real t;
        algorithm
        if n == 1 then x := {b[1]/A[1, 1]};
        elseif n == 2 then
          x := {b[1]*A[2, 2] - b[2]*A[1, 2], A[1, 1]*b[2] - A[2, 1]*b[1]}/det(A);
        elseif n == 3 then
          t := det(A);
          x := {det({{b[i], A[i, 2], A[i, 3]} for i in 1:3})/t,
            det({{A[i, 1], b[i], A[i, 3]} for i in 1:3})/t,
            det({{A[i, 1], A[i, 2], b[i]} for i in 1:3})/t};
        else
          x := b;
          for k in 1:n loop
            p := k;
            for i in k + 1:n loop if abs(M[i, k]) > abs(M[p, k]) then p := i; end if; end for;
            for j in 1:n loop t := M[k, j]; M[k, j] := M[p, j]; M[p, j] := t; end for;
            t := x[k]; x[k] := x[p]; x[p] := t;
            for i in k + 1:n loop
              t := M[i, k]/M[k, k];
              for j in k:n loop M[i, j] := M[i, j] - t*M[k, j]; end for;
              x[i] := x[i] - t*x[k];
            end for;
          end for;
          for k in n:-1:1 loop
            x[k] := (x[k] - sum(M[k, j]*x[j] for j in k + 1:n))/M[k, k];
          end for;
        end if; end solve;
      function inv input Real A[:, size(A, 1)]; output Real result[size(A, 1), size(A, 1)];
        protected Integer n = size(A, 1);
        algorithm
        result := transpose({solve(A, {if i == k then 1 else 0 for i in 1:n}) for k in 1:n});
        end inv;
    end Matrices;
  end Math;
  package Mechanics
    package MultiBody
      package Types
        type ResolveInFrameA = enumeration(world, frame_a, frame_resolve);
        type ResolveInFrameB = enumeration(world, frame_b, frame_resolve);
        type ResolveInFrameAB = enumeration(world, frame_a, frame_b, frame_resolve);
        type RotationTypes = enumeration(RotationAxis, TwoAxesVectors, PlanarRotationSequence);
        type GravityTypes = enumeration(NoGravity, UniformGravity, PointGravity);
        type VectorQuantity = enumeration(Force, Torque, Velocity, Acceleration, AngularVelocity,
          AngularAcceleration, RelativePosition);
        package Defaults
          constant Real FrameHeadLengthFraction = 5; constant Real FrameHeadWidthFraction = 3;
          constant Real FrameLabelHeightFraction = 3; constant Real ArrowHeadLengthFraction = 4;
          constant Real ArrowHeadWidthFraction = 3; constant Real BodyCylinderDiameterFraction = 3;
          constant Real JointRodDiameterFraction = 2; constant Real N_to_m = 1000;
          constant Real Nm_to_m = 1000; constant Integer BodyColor[3] = {0, 128, 255};
          constant Integer RodColor[3] = {155, 155, 155}; constant Integer JointColor[3] = {255, 0, 0};
          constant Integer ForceColor[3] = {0, 128, 0}; constant Integer TorqueColor[3] = {0, 128, 0};
          constant Integer SpringColor[3] = {0, 0, 255}; constant Integer SensorColor[3] = {255, 255, 0};
          constant Integer FrameColor[3] = {0, 0, 0}; constant Integer ArrowColor[3] = {0, 0, 255};
        end Defaults;
      end Types;
      package Forces
        package Internal
          model ZeroForceAndTorque extends Modelica.Mechanics.MultiBody.Interfaces.PartialOneFrame_a;
            end ZeroForceAndTorque;
        end Internal;
      end Forces;
      package Interfaces
        connector FlangeWithBearing parameter Boolean includeBearingConnector = false;
          Modelica.Mechanics.Rotational.Interfaces.Flange_a flange;
          Frame bearingFrame if includeBearingConnector; end FlangeWithBearing;
        model FlangeWithBearingAdaptor parameter Boolean includeBearingConnector = false;
          FlangeWithBearing flangeAndFrame(includeBearingConnector = includeBearingConnector);
          Modelica.Mechanics.Rotational.Interfaces.Flange_b flange;
          Frame_a frame if includeBearingConnector;
          equation connect(flange, flangeAndFrame.flange);
          if includeBearingConnector then connect(frame, flangeAndFrame.bearingFrame); end if;
          end FlangeWithBearingAdaptor;
        connector Frame end Frame;
        connector Frame_a end Frame_a;
        connector Frame_b end Frame_b;
        connector Frame_resolve end Frame_resolve;
        partial model PartialOneFrame_a Frame_a frame_a; protected
          outer Modelica.Mechanics.MultiBody.World world; end PartialOneFrame_a;
        partial model PartialOneFrame_b Frame_b frame_b; protected
          outer Modelica.Mechanics.MultiBody.World world; end PartialOneFrame_b;
        partial model PartialTwoFrames Frame_a frame_a; Frame_b frame_b; protected
          outer Modelica.Mechanics.MultiBody.World world; end PartialTwoFrames;
        partial model PartialTwoFramesDoubleSize extends PartialTwoFrames;
          end PartialTwoFramesDoubleSize;
        partial model PartialVisualizer Frame_a frame_a; protected
          outer Modelica.Mechanics.MultiBody.World world; end PartialVisualizer;
        partial model PartialElementaryJoint extends PartialTwoFrames; end PartialElementaryJoint;
        partial model PartialForce extends PartialTwoFrames; Real r_rel_b[3](each unit = "m");
          equation r_rel_b = Frames.resolve2(frame_b.R, frame_b.r_0 - frame_a.r_0);
          frame_a.f = -Frames.resolveRelative(frame_b.f, frame_b.R, frame_a.R);
          frame_a.t = -Frames.resolveRelative(frame_b.t + cross(r_rel_b, frame_b.f), frame_b.R,
            frame_a.R);
          end PartialForce;
        partial model LineForceBase extends PartialTwoFrames;
          parameter Real s_small(unit = "m") = 1e-10; Real length(unit = "m"); Real s(unit = "m");
          Real r_rel_0[3](each unit = "m"); Real e_rel_0[3](each unit = "1");
          equation r_rel_0 = frame_b.r_0 - frame_a.r_0; length = sqrt(r_rel_0*r_rel_0);
          s = noEvent(max(length, s_small)); e_rel_0 = r_rel_0/s;
          assert(noEvent(length > s_small), "both frames of a line force are at the same place");
          frame_a.t = zeros(3); frame_b.t = zeros(3);
          end LineForceBase;
        partial model PartialLineForce extends LineForceBase; Real r_rel_a[3](each unit = "m");
          Real e_a[3](each unit = "1"); Real f(unit = "N");
          equation r_rel_a = Frames.resolve2(frame_a.R, r_rel_0); e_a = r_rel_a/s;
          frame_a.f = -e_a*f; frame_b.f = Frames.resolve2(frame_b.R, e_rel_0)*f;
          end PartialLineForce;
        partial model PartialAbsoluteSensor parameter Integer n_out = 1; Frame_a frame_a;
          Modelica.Blocks.Interfaces.RealOutput y[n_out]; protected
          outer Modelica.Mechanics.MultiBody.World world; end PartialAbsoluteSensor;
        partial model PartialRelativeSensor parameter Integer n_out = 1; Frame_a frame_a;
          Frame_b frame_b; Modelica.Blocks.Interfaces.RealOutput y[n_out]; protected
          outer Modelica.Mechanics.MultiBody.World world; end PartialRelativeSensor;
      end Interfaces;
    end MultiBody;
    package Rotational
      package Types
        type Init = enumeration(NoInit, SteadyState, InitialState);
      end Types;
      package Interfaces
        connector Flange end Flange;
        connector Flange_a end Flange_a;
        connector Flange_b end Flange_b;
        connector Support end Support;
        partial model PartialTwoFlanges Flange_a flange_a; Flange_b flange_b;
          end PartialTwoFlanges;
        partial model PartialCompliant Flange_a flange_a; Flange_b flange_b;
          Real phi_rel(start = 0); Real tau;
          equation phi_rel = flange_b.phi - flange_a.phi; flange_b.tau = tau; flange_a.tau = -tau;
          end PartialCompliant;
        partial model PartialCompliantWithRelativeStates Flange_a flange_a; Flange_b flange_b;
          parameter StateSelect stateSelect = StateSelect.prefer; parameter Real phi_nominal = 1e-4;
          Real phi_rel(start = 0); Real w_rel(start = 0); Real a_rel(start = 0); Real tau;
          equation phi_rel = flange_b.phi - flange_a.phi; w_rel = der(phi_rel); a_rel = der(w_rel);
          flange_b.tau = tau; flange_a.tau = -tau; end PartialCompliantWithRelativeStates;
        partial model PartialOneFlangeAndSupport parameter Boolean useSupport = false;
          Flange_b flange; Support support if useSupport; end PartialOneFlangeAndSupport;
        partial model PartialTwoFlangesAndSupport parameter Boolean useSupport = false;
          Flange_a flange_a; Flange_b flange_b; Support support if useSupport;
          end PartialTwoFlangesAndSupport;
      end Interfaces;
      package Components
        model Gearbox extends Interfaces.PartialTwoFlangesAndSupport;
          parameter Boolean useHeatPort = false;
          Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_a heatPort if useHeatPort;
          parameter Real ratio = 1; parameter Real lossTable[:, 5] = [0, 1, 1, 0, 0];
          parameter Real c = 1e5; parameter Real d = 0; parameter Real b = 0;
          parameter StateSelect stateSelect = StateSelect.prefer;
          Real phi_rel = elastoBacklash.phi_rel; Real w_rel = elastoBacklash.w_rel;
          Real a_rel = elastoBacklash.a_rel;
          LossyGear lossyGear(ratio = ratio, lossTable = lossTable, useSupport = useSupport,
            useHeatPort = useHeatPort);
          ElastoBacklash elastoBacklash(b = b, c = c, d = d, phi_rel0 = 0,
            useHeatPort = useHeatPort);
          equation
          connect(flange_a, lossyGear.flange_a);
          connect(lossyGear.flange_b, elastoBacklash.flange_a);
          connect(elastoBacklash.flange_b, flange_b);
          if useSupport then connect(lossyGear.support, support); end if;
          if useHeatPort then connect(lossyGear.heatPort, heatPort);
          connect(elastoBacklash.heatPort, heatPort); end if; end Gearbox;
        model TorqueToAngleAdaptor parameter Boolean use_w = true; parameter Boolean use_a = true;
          Interfaces.Flange_a flange; Modelica.Blocks.Interfaces.RealInput tau;
          Modelica.Blocks.Interfaces.RealOutput phi;
          Modelica.Blocks.Interfaces.RealOutput w if use_w;
          Modelica.Blocks.Interfaces.RealOutput a if use_w and use_a;
          Sources.Torque torque; Sensors.AngleSensor angleSensor;
          Sensors.SpeedSensor speedSensor if use_w; Sensors.AccSensor accSensor if use_w and use_a;
          equation
          torque.tau = -tau;
          connect(flange, torque.flange); connect(flange, angleSensor.flange);
          connect(angleSensor.phi, phi);
          connect(flange, speedSensor.flange); connect(speedSensor.w, w);
          connect(flange, accSensor.flange); connect(accSensor.a, a); end TorqueToAngleAdaptor;
        model AngleToTorqueAdaptor parameter Boolean use_w = true; parameter Boolean use_a = true;
          Interfaces.Flange_b flange; Modelica.Blocks.Interfaces.RealInput phi;
          Modelica.Blocks.Interfaces.RealInput w if use_w;
          Modelica.Blocks.Interfaces.RealInput a if use_w and use_a;
          Modelica.Blocks.Interfaces.RealOutput tau;
          Sources.Position position(exact = true) if not (use_w and use_a);
          Sources.Move move if use_w and use_a; Sensors.TorqueSensor torqueSensor;
          equation
          if use_w and use_a then move.u = {phi, w, a};
          else position.phi_ref = phi; end if;
          connect(position.flange, torqueSensor.flange_a);
          connect(move.flange, torqueSensor.flange_a);
          connect(torqueSensor.flange_b, flange); connect(torqueSensor.tau, tau);
          end AngleToTorqueAdaptor;
      end Components;
    end Rotational;
    package Translational
      package Interfaces
        connector Flange end Flange;
        connector Flange_a end Flange_a;
        connector Flange_b end Flange_b;
        connector Support end Support;
        partial model PartialTwoFlanges Flange_a flange_a; Flange_b flange_b;
          end PartialTwoFlanges;
        partial model PartialRigid Flange_a flange_a; Flange_b flange_b;
          Real s; parameter Real L = 0;
          equation flange_a.s = s - L/2; flange_b.s = s + L/2; end PartialRigid;
        partial model PartialCompliant Flange_a flange_a; Flange_b flange_b;
          Real s_rel(start = 0); Real f;
          equation s_rel = flange_b.s - flange_a.s; flange_b.f = f; flange_a.f = -f;
          end PartialCompliant;
        partial model PartialCompliantWithRelativeStates Flange_a flange_a; Flange_b flange_b;
          parameter StateSelect stateSelect = StateSelect.prefer; parameter Real s_nominal = 1e-4;
          Real s_rel(start = 0); Real v_rel(start = 0); Real a_rel(start = 0); Real f;
          equation s_rel = flange_b.s - flange_a.s; v_rel = der(s_rel); a_rel = der(v_rel);
          flange_b.f = f; flange_a.f = -f; end PartialCompliantWithRelativeStates;
        partial model PartialOneFlangeAndSupport parameter Boolean useSupport = false;
          Flange_b flange; Support support if useSupport; end PartialOneFlangeAndSupport;
        partial model PartialTwoFlangesAndSupport parameter Boolean useSupport = false;
          Flange_a flange_a; Flange_b flange_b; Support support if useSupport;
          end PartialTwoFlangesAndSupport;
      end Interfaces;
    end Translational;
  end Mechanics;
  package Electrical
    package Machines
      package Thermal
        package Constants
          constant Real alpha20Zero = 0; constant Real alpha20Aluminium = 4e-3;
          constant Real alpha20Brass = 1.1e-3; constant Real alpha20Bronze = 0.8e-3;
          constant Real alpha20Copper = 3.92e-3;
        end Constants;
      end Thermal;
    end Machines;
    package Analog
      package Interfaces
        connector Pin end Pin;
        connector PositivePin end PositivePin;
        connector NegativePin end NegativePin;
        partial model TwoPin PositivePin p; NegativePin n; Real v = p.v - n.v; end TwoPin;
        partial model OnePort PositivePin p; NegativePin n; Real v; Real i;
          equation v = p.v - n.v; 0 = p.i + n.i; i = p.i; end OnePort;
        partial model TwoPort PositivePin p1; NegativePin n1; PositivePin p2; NegativePin n2;
          Real v1; Real v2; Real i1; Real i2;
          equation v1 = p1.v - n1.v; v2 = p2.v - n2.v; 0 = p1.i + n1.i; 0 = p2.i + n2.i;
          i1 = p1.i; i2 = p2.i; end TwoPort;
        partial model FourPin PositivePin p1; NegativePin n1; PositivePin p2; NegativePin n2;
          Real v1 = p1.v - n1.v; Real v2 = p2.v - n2.v; end FourPin;
        partial model ConditionalHeatPort parameter Boolean useHeatPort = false;
          parameter Real T = 293.15; Real LossPower; Real T_heatPort;
          Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_a heatPort if useHeatPort; protected
          Modelica.Thermal.HeatTransfer.Sources.PrescribedHeatFlow loss(Q_flow = LossPower)
            if useHeatPort;
          Modelica.Thermal.HeatTransfer.Sensors.TemperatureSensor sensor if useHeatPort;
          equation
          connect(loss.port, heatPort); connect(sensor.port, heatPort);
          if useHeatPort then T_heatPort = sensor.T; else T_heatPort = T; end if;
          end ConditionalHeatPort;
      end Interfaces;
    end Analog;
  end Electrical;
  package Thermal
    package HeatTransfer
      package Interfaces
        connector HeatPort end HeatPort;
        connector HeatPort_a end HeatPort_a;
        connector HeatPort_b end HeatPort_b;
        partial model PartialElementaryConditionalHeatPortWithoutT
          parameter Boolean useHeatPort = false; HeatPort_a heatPort if useHeatPort;
          Real lossPower; protected
          Modelica.Thermal.HeatTransfer.Sources.PrescribedHeatFlow loss(Q_flow = lossPower)
            if useHeatPort;
          equation connect(loss.port, heatPort); end PartialElementaryConditionalHeatPortWithoutT;
        partial model PartialElementaryConditionalHeatPort
          extends PartialElementaryConditionalHeatPortWithoutT; parameter Real T = 293.15;
          Real TheatPort; protected
          Modelica.Thermal.HeatTransfer.Sensors.TemperatureSensor sensor if useHeatPort;
          equation
          connect(sensor.port, heatPort);
          if useHeatPort then TheatPort = sensor.T; else TheatPort = T; end if;
          end PartialElementaryConditionalHeatPort;
      end Interfaces;
    end HeatTransfer;
  end Thermal;
end Modelica;
package ModelicaServices
  package Machine
    constant Real eps = 2.220446049250313e-16; constant Real small = 2.2250738585072014e-308;
    constant Real inf = 1.7976931348623157e308; constant Integer Integer_inf = 2147483647;
  end Machine;
end ModelicaServices;
function semiLinear input Real x; input Real positiveSlope; input Real negativeSlope; output Real y;
  algorithm y := smooth(0, if x >= 0 then positiveSlope*x else negativeSlope*x); end semiLinear;
type StateSelect = enumeration(never, avoid, default, prefer, always);
type AssertionLevel = enumeration(error, warning);
