/// Worker: a process that waits for requests of the studio and answers one after another, so that a run
/// starts without the start of a process; a model that crashes it costs the page nothing but an answer.
#pragma once

namespace cardan::studio {

/// Serves a socket until nobody is there; returns the exit code. What it is asked (JSON):
///   {"do": "run", "file": PATH, "text": TEXT, "set": [NAME=VALUE, ...]}   without text: the file itself
///   {"do": "schema", "file": PATH, "text": TEXT}
///   {"do": "reference", "file": PATH, "text": TEXT}   of a result to compare with
///   {"do": "save", "file": PATH, "text": TEXT}
int serveRequests(int socket);

}  // namespace cardan::studio
