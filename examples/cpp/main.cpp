// Two models in one program, called by several threads at once.
#include <array>
#include <cstdio>
#include <thread>
#include <vector>

#include "attention.h"
#include "normalize.h"

int main() try {
  attention::model attend;
  normalize::model normalize;

  const auto work = [&](float scale, std::vector<float> &result) {
    XLA_ALIGNED std::array<float, ATTENTION_IN0_COUNT> query, key, value;
    for (size_t i = 0; i < query.size(); ++i) {
      query[i] = scale * static_cast<float>(i % 7) / 7;
      key[i] = static_cast<float>(i % 5) / 5;
      value[i] = static_cast<float>(i + 1);
    }
    std::vector<float> attended(ATTENTION_OUT0_COUNT), lengths(NORMALIZE_OUT1_COUNT);
    attend(query, key, value, attended);
    result.resize(NORMALIZE_OUT0_COUNT);
    normalize(attended, result, lengths);
  };

  std::vector<std::vector<float>> results(4);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < results.size(); ++i) threads.emplace_back(work, static_cast<float>(i % 2), std::ref(results[i]));
  for (std::thread &thread : threads) thread.join();
  std::printf("equal arguments, equal results: %s\n",
              results[0] == results[2] && results[1] == results[3] && results[0] != results[1] ? "yes" : "no");

  std::vector<float> small(5), lengths(8);
  try {
    normalize(small, small, lengths);
  } catch (const xla_model::error &error) {
    std::printf("%s\n", error.what());
  }
} catch (const xla_model::error &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
