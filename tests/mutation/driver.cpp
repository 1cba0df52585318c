// The main program of a test executable with mistakes in it. CARDAN_MUTANT is the number of the one
// that is made. With CARDAN_REACHED=FILE it writes a line for every test case: its name, seconds of
// processor time, whether it passed, and the mistakes that it came by.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>

#include "tests/mutation/switch.h"

namespace cardan::mutation {
namespace {

/// Before any other object of namespace scope is made, as these may ask, too.
struct Chosen {
  Chosen() {
    const char* number = std::getenv("CARDAN_MUTANT");
    active = number != nullptr ? std::atoi(number) : 0;
  }
};

}  // namespace

int active = 0;
unsigned char reached[kMost];
__attribute__((init_priority(101))) const Chosen chosen;

namespace {

struct Reach : doctest::IReporter {
  std::ofstream out;
  std::string name;
  std::clock_t began = 0;

  explicit Reach(const doctest::ContextOptions&) {
    if (const char* file = std::getenv("CARDAN_REACHED")) out.open(file);
  }
  void line(const char* passed) {
    out << name << '\t' << double(std::clock() - began) / CLOCKS_PER_SEC << '\t' << passed << '\t';
    for (int i = 0; i < kMost; ++i) {
      if (reached[i] != 0) out << i << ' ';
    }
    out << std::endl;
  }
  void test_run_start() override {
    name = "";
    began = std::clock();
    line("1");
  }
  void test_case_start(const doctest::TestCaseData& data) override {
    std::memset(reached, 0, sizeof reached);
    name = data.m_name;
    began = std::clock();
  }
  void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
    if (out.is_open()) line(stats.testCaseSuccess && stats.numAssertsCurrentTest > 0 ? "1" : "0");
  }
  void report_query(const doctest::QueryData&) override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};
REGISTER_LISTENER("reach", 1, Reach);

}  // namespace
}  // namespace cardan::mutation

int main(int argc, char** argv) { return doctest::Context(argc, argv).run(); }
