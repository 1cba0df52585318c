/// All functions of MSL MultiBody.Frames.
#pragma once

#include "frames/algebra.h"
#include "frames/dual.h"
#include "frames/orientation.h"
#include "frames/quaternions.h"
#include "frames/rotations.h"
#include "frames/transformation_matrices.h"
