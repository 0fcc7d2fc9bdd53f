"""What the header of a model has for C++ (from C++11): `NAME::model`, and what all models share, `xla_model::`."""

from __future__ import annotations

from collections.abc import Callable
from string import Template

from ..signature import TensorSpec
from .model_tables import ModelTables

_SHARED = """\
#ifndef XLA_MODEL_CPP
#define XLA_MODEL_CPP
#include <stdexcept>
#include <string>
#include <utility>
namespace xla_model {

/* Thrown by constructors and calls. */
class error : public std::runtime_error {
 public:
  error(xla_status status, const char *message) : std::runtime_error(message), status_(status) {}
  xla_status status() const noexcept { return status_; }

 private:
  xla_status status_;
};

/* A view of an array: of std::vector and std::array, of arrays of C, or of a pointer and a number of elements. */
template <typename T>
class span {
 public:
  span(T *data, size_t count) : data_(data), count_(count) {}
  template <size_t count>
  span(T (&array)[count]) : data_(array), count_(count) {}
  template <typename Container, typename = decltype(static_cast<T *>(std::declval<Container &>().data()))>
  span(Container &&container) : data_(container.data()), count_(container.size()) {}
  xla_buffer buffer() const {
    return xla_buffer{const_cast<void *>(static_cast<const void *>(data_)), count_ * sizeof(T)};
  }

 private:
  T *data_;
  size_t count_;
};

}  // namespace xla_model
#endif
"""

_CLASS = """\
namespace $n {

/* The model with a context of its own. Sizes of arguments are checked; several threads may call at once. */
class model {
 public:
  explicit model(const xla_options &options = XLA_OPTIONS) { check(${n}_create(&options, &context_)); }
  ~model() { ${n}_destroy(context_); }
  model(model &&other) noexcept : context_(other.context_) { other.context_ = nullptr; }
  model &operator=(model &&other) noexcept {
    std::swap(context_, other.context_);
    return *this;
  }
  model(const model &) = delete;
  model &operator=(const model &) = delete;

  void operator()($parameters) {
$buffers
    check(${n}_run(context_, $inputs, $num_inputs, $outputs, $num_outputs));
  }

  void stop() noexcept { ${n}_stop(context_); }

  static xla_info info() {
    xla_info found = XLA_INFO;
    check(${n}_get_info(&found));
    return found;
  }

 private:
  static void check(xla_status status) {
    if (status != XLA_SUCCESS) throw xla_model::error(status, ${n}_error_message());
  }
  ${n}_context *context_ = nullptr;
};

}  // namespace $n
"""


def class_text(tables: ModelTables, c_type: Callable[[TensorSpec], str]) -> str:
    """The C++ part of the header; `c_type` is the type of an element."""
    donated = set(tables.donated.values())
    parameters = [
        f"xla_model::span<{'' if index in donated else 'const '}{c_type(spec)}> in{index}"
        for index, spec in enumerate(tables.inputs)
    ]
    parameters += [f"xla_model::span<{c_type(spec)}> out{index}" for index, spec in enumerate(tables.outputs)]
    lines: list[str] = []
    arguments: dict[str, object] = {"n": tables.name, "parameters": ", ".join(parameters)}
    for side, specs in (("in", tables.inputs), ("out", tables.outputs)):
        arguments[f"num_{side}puts"] = len(specs)
        arguments[f"{side}puts"] = f"{side}puts" if specs else "nullptr"
        if specs:
            elements = ", ".join(f"{side}{index}.buffer()" for index in range(len(specs)))
            lines.append(f"    const xla_buffer {side}puts[] = {{{elements}}};")
    arguments["buffers"] = "\n".join(lines)
    return f"{_SHARED}\n{Template(_CLASS).substitute(arguments)}"
