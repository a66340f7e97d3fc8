// A callable of any type behind one signature: smaller than std::function, and without <functional>.
#pragma once

#include <memory>
#include <utility>

namespace morph::detail {

template <typename Signature>
class erased;

/// Copies share the callable.
template <typename Result, typename... Arguments>
class erased<Result(Arguments...)> {
 public:
  erased() = default;
  template <typename F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, erased>) erased(F callable)
      : target_(std::make_shared<F>(std::move(callable))), call_([](void* target, Arguments... arguments) -> Result {
          return (*static_cast<F*>(target))(std::forward<Arguments>(arguments)...);
        }) {}
  explicit operator bool() const { return call_ != nullptr; }
  Result operator()(Arguments... arguments) const {
    return call_(target_.get(), std::forward<Arguments>(arguments)...);
  }

 private:
  std::shared_ptr<void> target_;
  Result (*call_)(void*, Arguments...) = nullptr;
};

}  // namespace morph::detail
