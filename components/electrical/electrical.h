/// The classes of MSL's Electrical.Analog.
#pragma once

#include "components/electrical/basic.h"
#include "components/electrical/emf.h"
#include "components/electrical/ideal.h"
#include "components/electrical/sensors.h"
#include "components/electrical/sources.h"
