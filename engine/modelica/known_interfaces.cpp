// What models and connectors of the library share, so far as a model made of components needs it:
// the connectors' names. Equations of such classes are not said here; whoever needs them has the
// library at hand.
#include "engine/modelica/known_classes.h"

namespace cardan::modelica {

std::string_view knownInterfaces() {
  return R"(package Modelica
  package Blocks
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
      partial block MIMOs parameter Integer n = 1; RealInput u[n]; RealOutput y[n]; end MIMOs;
      partial block SVcontrol RealInput u_s; RealInput u_m; RealOutput y; end SVcontrol;
      partial block BooleanSignalSource BooleanOutput y; end BooleanSignalSource;
    end Interfaces;
  end Blocks;
  package Mechanics
    package MultiBody
      package Interfaces
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
      end Interfaces;
    end MultiBody;
    package Rotational
      package Interfaces
        connector Flange end Flange;
        connector Flange_a end Flange_a;
        connector Flange_b end Flange_b;
        connector Support end Support;
        partial model PartialTwoFlanges Flange_a flange_a; Flange_b flange_b;
          end PartialTwoFlanges;
        partial model PartialOneFlangeAndSupport parameter Boolean useSupport = false;
          Flange_b flange; Support support if useSupport; end PartialOneFlangeAndSupport;
        partial model PartialTwoFlangesAndSupport parameter Boolean useSupport = false;
          Flange_a flange_a; Flange_b flange_b; Support support if useSupport;
          end PartialTwoFlangesAndSupport;
      end Interfaces;
    end Rotational;
    package Translational
      package Interfaces
        connector Flange end Flange;
        connector Flange_a end Flange_a;
        connector Flange_b end Flange_b;
        connector Support end Support;
        partial model PartialTwoFlanges Flange_a flange_a; Flange_b flange_b;
          end PartialTwoFlanges;
        partial model PartialOneFlangeAndSupport parameter Boolean useSupport = false;
          Flange_b flange; Support support if useSupport; end PartialOneFlangeAndSupport;
        partial model PartialTwoFlangesAndSupport parameter Boolean useSupport = false;
          Flange_a flange_a; Flange_b flange_b; Support support if useSupport;
          end PartialTwoFlangesAndSupport;
      end Interfaces;
    end Translational;
  end Mechanics;
  package Electrical
    package Analog
      package Interfaces
        connector Pin end Pin;
        connector PositivePin end PositivePin;
        connector NegativePin end NegativePin;
        partial model TwoPin PositivePin p; NegativePin n; end TwoPin;
        partial model TwoPort PositivePin p1; NegativePin n1; PositivePin p2; NegativePin n2;
          end TwoPort;
      end Interfaces;
    end Analog;
  end Electrical;
  package Thermal
    package HeatTransfer
      package Interfaces
        connector HeatPort end HeatPort;
        connector HeatPort_a end HeatPort_a;
        connector HeatPort_b end HeatPort_b;
      end Interfaces;
    end HeatTransfer;
  end Thermal;
end Modelica;
)";
}

}  // namespace cardan::modelica
