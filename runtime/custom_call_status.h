/* How a C function that is the target of a custom call reports success or failure: the functions of XLA's
 * `custom_call_status.h`, for calls with api_version 2 (`void target(void *out, const void **in, XlaCustomCallStatus *)`)
 * and 3 (`void target(void *out, const void **in, const char *opaque, size_t opaque_len, XlaCustomCallStatus *)`). */
#ifndef XDSL_XLA_CUSTOM_CALL_STATUS_H_
#define XDSL_XLA_CUSTOM_CALL_STATUS_H_

#include <stddef.h>

typedef struct XlaCustomCallStatus_ {
  void (*set_failure)(struct XlaCustomCallStatus_ *status, const char *message, size_t message_len);
  void (*set_success)(struct XlaCustomCallStatus_ *status);
} XlaCustomCallStatus;

/* Takes a failure back, if one has been reported. */
static inline void XlaCustomCallStatusSetSuccess(XlaCustomCallStatus *status) { status->set_success(status); }

/* `message` ends at a null character or after `message_len` characters. */
static inline void XlaCustomCallStatusSetFailure(XlaCustomCallStatus *status, const char *message,
                                                 size_t message_len) {
  status->set_failure(status, message, message_len);
}

#endif
