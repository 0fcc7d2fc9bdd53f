/* One head of attention, compiled ahead of time: arrays in, an array out, and what happens when a size is wrong. */
#include <stdio.h>

#include "attention.h"

int main(void) {
  XLA_ALIGNED float query[ATTENTION_IN0_COUNT];
  XLA_ALIGNED float key[ATTENTION_IN1_COUNT];
  XLA_ALIGNED float value[ATTENTION_IN2_COUNT];
  XLA_ALIGNED float result[ATTENTION_OUT0_COUNT];
  for (size_t i = 0; i < ATTENTION_IN0_COUNT; ++i) {
    query[i] = (float)(i % 7) / 7;
    key[i] = (float)(i % 5) / 5;
    value[i] = (float)i;
  }

  attention_context *context;
  xla_options options = XLA_OPTIONS;
  if (attention_create(&options, &context) != XLA_SUCCESS) {
    fprintf(stderr, "%s\n", attention_error_message());
    return 1;
  }
  if (attention_call(context, query, key, value, result) != XLA_SUCCESS) {
    fprintf(stderr, "%s\n", attention_error_message());
    return 1;
  }
  for (size_t i = 0; i < ATTENTION_OUT0_COUNT; i += 4)
    printf("%8.4f %8.4f %8.4f %8.4f\n", result[i], result[i + 1], result[i + 2], result[i + 3]);

  /* The general way: tables of buffers, with sizes that are checked. */
  xla_buffer inputs[] = {{query, sizeof query}, {key, sizeof key}, {value, sizeof value - sizeof(float)}};
  xla_buffer outputs[] = {{result, sizeof result}};
  xla_status status = attention_run(context, inputs, 3, outputs, 1);
  printf("%s: %s\n", attention_status_message(status), attention_error_message());

  attention_destroy(context);
  return status == XLA_SIZE ? 0 : 1;
}
