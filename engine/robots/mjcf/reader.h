/// Reader: from the elements of an MJCF file to a Robot, everything with its place.
#pragma once

#include "engine/robots/import_report.h"
#include "engine/robots/mjcf/contacts.h"
#include "engine/robots/robot.h"

namespace cardan::robots::mjcf {

/// Reads <mujoco> of the file `path`, whose names are all in the vocabulary. What is wrong is in `diagnostics`;
/// what Cardan has nothing for, in `report`. The robot refers to `root`. `contacts` gets what touches; null: nothing
/// does.
Robot readBodies(const XmlElement& root, const std::string& path, GeomContacts* contacts,
                 ImportReport& report, Diagnostics& diagnostics);

}  // namespace cardan::robots::mjcf
