/// All functions of MSL MultiBody.Frames.
#pragma once

#include "frames/algebra.h"
#include "frames/directions.h"
#include "frames/dual.h"
#include "frames/internal.h"
#include "frames/orientation.h"
#include "frames/quaternions.h"
#include "frames/rotation_vector.h"
#include "frames/rotations.h"
#include "frames/transformation_matrices.h"
#include "frames/types.h"
