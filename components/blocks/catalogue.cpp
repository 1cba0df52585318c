
namespace cardan {
namespace blocks {

// Each stands at the end of the source that its classes are in.
Catalogue sources(), timeTables(), kinematicPtps(), expressions(), arithmetic(), sign(),
    functions(), comparisons(), continuous(), limPid(), linearSystems(), lookups(), rateLimits(),
    furtherFunctions(), routing(), delays(), padeDelay(), sampled(), logical(), der(),
    unitConversions();

Catalogue all() {
  return joined(sources(), timeTables(), kinematicPtps(), expressions(), arithmetic(), sign(),
                functions(), comparisons(), continuous(), limPid(), linearSystems(), lookups(),
                rateLimits(), furtherFunctions(), routing(), delays(), padeDelay(), sampled(),
                logical(), der(), unitConversions());
}

}  // namespace blocks

Catalogue folders::blocks() { return package("blocks", blocks::all()); }

}  // namespace cardan
