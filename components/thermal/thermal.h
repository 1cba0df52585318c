/// The classes of MSL's Thermal.HeatTransfer.
#pragma once

#include "components/thermal/sensors.h"
#include "components/thermal/sources.h"
#include "components/thermal/transport.h"
