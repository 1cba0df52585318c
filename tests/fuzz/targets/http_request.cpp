/// Target: what a connection to `cardan studio` says, its body as the name of a file: who is let in has said all
/// that it has to, and no name leads out of the folder.
#include <filesystem>
#include <stdexcept>

#include "apps/studio/server/folder.h"
#include "apps/studio/server/gate.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/mutator.h"

using namespace cardan::studio;

namespace {

const std::string kToken = "right";

void tryName(const std::string& name) {
  static const Folder folder(std::filesystem::temp_directory_path());
  try {
    const auto path = folder.file(name).lexically_relative(folder.root());
    cardan::fuzz::expect(!path.empty() && !path.is_absolute() && *path.begin() != "..",
                         "a file is below the folder", path.string());
  } catch (const std::runtime_error&) {
  }
}

/// Fields and words exchanged, doubled, cut.
std::string mutatedRequest(std::string_view text, cardan::fuzz::Random& random) {
  static const char* const pieces[] = {"\r\n",
                                       "\r\n\r\n",
                                       "\n",
                                       " ",
                                       ":",
                                       "Host: 127.0.0.1:4823\r\n",
                                       "Host: evil:4823\r\n",
                                       "X-Cardan-Token: right\r\n",
                                       "Content-Length: 3\r\n",
                                       "Origin: null\r\n",
                                       "../",
                                       "/",
                                       ".",
                                       "%2e",
                                       "GET",
                                       "HTTP/1.1",
                                       "Transfer-Encoding: x\r\n",
                                       "\t",
                                       "\x7f",
                                       "@",
                                       "#",
                                       "[::1]:4823"};
  std::string result(text);
  for (auto changes = 1 + random() % 3; changes > 0; --changes) {
    const size_t at = random() % (result.size() + 1), length = random() % 12;
    const char* piece = pieces[random() % std::size(pieces)];
    if (random() % 3 == 0) {
      result.erase(at, length);
    } else if (random() % 2 == 0) {
      result.insert(at, piece);
    } else {
      result.replace(at, length, piece);
    }
  }
  return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Gate gate("127.0.0.1", 4823, kToken);
  const std::string_view text = cardan::fuzz::textOf(data, size);
  const size_t length = RequestHead::lengthIn(text);
  cardan::fuzz::expect(length <= text.size(), "a head is no longer than what came");
  const auto head = RequestHead::parse(text.substr(0, length));
  tryName(std::string(text.substr(length)));
  if (!head) return 0;
  if (gate.refusal(*head)) return 0;
  const auto host = head->field("host"), token = head->field("x-cardan-token");
  cardan::fuzz::expect(host == "127.0.0.1:4823" || host == "localhost:4823", "the host is ours");
  cardan::fuzz::expect(!head->target.starts_with("/api/") || token == kToken, "the token is right");
  cardan::fuzz::expect(head->bodyBytes <= Gate::kMostBytes, "the body is small enough");
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  return cardan::fuzz::mutateInPlace(data, size, most, seed, mutatedRequest);
}
