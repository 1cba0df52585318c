#include "engine/picture/collada_file.h"

#ifdef CARDAN_ASSIMP
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include "engine/text/loaded_library.h"
#endif

namespace cardan {

#ifdef CARDAN_ASSIMP

namespace {

/// The functions of the library. It is large, and few models need it, so it is loaded with the first file
/// that does.
class AssimpLibrary {
 public:
  static const AssimpLibrary& get() {
    static const AssimpLibrary library;
    return library;
  }
  bool loaded() const { return import && release && makeStore && releaseStore && set && error; }

  decltype(&aiImportFileFromMemoryWithProperties) import = nullptr;
  decltype(&aiReleaseImport) release = nullptr;
  decltype(&aiCreatePropertyStore) makeStore = nullptr;
  decltype(&aiReleasePropertyStore) releaseStore = nullptr;
  decltype(&aiSetImportPropertyInteger) set = nullptr;
  decltype(&aiGetErrorString) error = nullptr;

 private:
  AssimpLibrary() {
    const LoadedLibrary library(CARDAN_ASSIMP);
    library.find("aiImportFileFromMemoryWithProperties", import);
    library.find("aiReleaseImport", release);
    library.find("aiCreatePropertyStore", makeStore);
    library.find("aiReleasePropertyStore", releaseStore);
    library.find("aiSetImportPropertyInteger", set);
    library.find("aiGetErrorString", error);
  }
};

}  // namespace

bool canReadCollada() { return AssimpLibrary::get().loaded(); }

std::optional<std::vector<std::array<float, 9>>> readCollada(const std::string& text,
                                                             std::string& why) {
  const AssimpLibrary& assimp = AssimpLibrary::get();
  if (!assimp.loaded()) {
    why =
        "files .dae are read by the library " CARDAN_ASSIMP ", which is not installed (libassimp5)";
    return std::nullopt;
  }
  aiPropertyStore* store = assimp.makeStore();
  assimp.set(store, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
  assimp.set(store, AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  constexpr unsigned kFlags =
      aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_PreTransformVertices;
  const aiScene* scene =
      assimp.import(text.data(), static_cast<unsigned>(text.size()), kFlags, "dae", store);
  assimp.releaseStore(store);
  if (!scene) {
    why = assimp.error();
    return std::nullopt;
  }
  std::vector<std::array<float, 9>> triangles;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const aiMesh& mesh = *scene->mMeshes[m];
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      const aiFace& face = mesh.mFaces[f];
      if (face.mNumIndices != 3) continue;
      std::array<float, 9> corners{};
      for (size_t k = 0; k < 3; ++k) {
        const aiVector3D& p = mesh.mVertices[face.mIndices[k]];
        corners[3 * k] = p.x;
        corners[3 * k + 1] = p.y;
        corners[3 * k + 2] = p.z;
      }
      triangles.push_back(corners);
    }
  }
  assimp.release(scene);
  return triangles;
}

#else

bool canReadCollada() { return false; }

std::optional<std::vector<std::array<float, 9>>> readCollada(const std::string&, std::string& why) {
  why = "this program was built without assimp (libassimp-dev), which reads .dae files";
  return std::nullopt;
}

#endif

}  // namespace cardan
