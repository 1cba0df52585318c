/// LoadedLibrary: a shared library that is loaded when it is first wanted, and need not be there.
#pragma once

#include <dlfcn.h>

namespace cardan {

/// It stays loaded to the end of the program.
class LoadedLibrary {
 public:
  explicit LoadedLibrary(const char* name) : handle_(::dlopen(name, RTLD_NOW | RTLD_LOCAL)) {}
  /// What the library calls `name`. False: it is not there, or has none; null then.
  template <class T>
  bool find(const char* name, T*& found) const {
    found = handle_ ? reinterpret_cast<T*>(::dlsym(handle_, name)) : nullptr;
    return found != nullptr;
  }

 private:
  void* handle_;
};

}  // namespace cardan
