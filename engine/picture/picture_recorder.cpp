#include "engine/picture/picture_recorder.h"

#include <algorithm>
#include <limits>

#include "components/component.h"
#include "components/world_settings.h"
#include "engine/model_file/model_source.h"
#include "engine/model_parts.h"

namespace cardan {
namespace {

constexpr double kNever = std::numeric_limits<double>::quiet_NaN();
constexpr int kMostEventRows = 2000;

}  // namespace

/// Takes the shapes of one component after the other.
class PictureRecorder::Collector final : public Shapes {
 public:
  Collector(std::deque<Item>& items, const WorldSettings& world, bool contactForces)
      : items_(items), world_(world), contactForces_(contactForces) {}
  const WorldSettings& world() const override { return world_; }
  void add(Shape s) override {
    if (contactForces_ || !s.isPatch) items_.push_back({instance, std::move(s)});
  }
  void add(ArrowShape a) override {
    if (contactForces_ || !a.isContactForce) items_.push_back({instance, std::move(a)});
  }
  void add(SurfaceShape s) override { items_.push_back({instance, std::move(s)}); }
  int instance = -1;

 private:
  std::deque<Item>& items_;
  const WorldSettings& world_;
  bool contactForces_;
};

const PicturePlace& PictureRecorder::Item::place() const {
  return std::visit([](const auto& s) -> const PicturePlace& { return s.place; }, shape);
}

PictureRecorder::PictureRecorder(const Simulation& simulation, PictureOptions options,
                                 Diagnostics& diagnostics)
    : model_(std::make_unique<ModelParts>(simulation)), options_(std::move(options)) {
  placeNames_.emplace_back("world");
  placeOfNode_[model_->node(FrameId{0})] = 0;
  Collector collector(items_, model_->world(), options_.contactForces);
  if (model_->world().enableAnimation) {
    for (int i = 0; i < model_->size(); ++i) {
      collector.instance = i;
      (*model_)[i].component.picture(collector);
    }
  }
  const auto bindPlace = [this](const PicturePlace& p, int instance) {
    if (p.frame.valid()) addPlace(p.frame, "");
    bind(p.r, instance);
    bind(p.T, instance);
  };
  for (const Item& item : items_) {
    bindPlace(item.place(), item.instance);
    if (const Shape* s = std::get_if<Shape>(&item.shape)) {
      for (const PictureValue* v :
           {&s->r_shape, &s->lengthDirection, &s->widthDirection, &s->length, &s->width, &s->height,
            &s->extra, &s->color, &s->specular})
        bind(*v, item.instance);
    } else if (const ArrowShape* a = std::get_if<ArrowShape>(&item.shape)) {
      for (const PictureValue* v :
           {&a->r_tail, &a->r_head, &a->scale, &a->diameter, &a->color, &a->specular})
        bind(*v, item.instance);
    } else {
      const SurfaceShape& g = std::get<SurfaceShape>(item.shape);
      for (const PictureValue* v : {&g.points, &g.color, &g.specular, &g.transparency})
        bind(*v, item.instance);
    }
  }
  const auto frames = model_->frames();
  for (const std::string& name : options_.frames) {
    const auto c = std::ranges::find(frames, model_->source().withoutAliases(name),
                                     &std::pair<std::string, FrameId>::first);
    if (c == frames.end()) {
      std::vector<std::string> known;
      for (const auto& frame : frames) known.push_back(frame.first);
      diagnostics.error({}, "no frame '" + name + "'" + didYouMean(name, known));
      continue;
    }
    wanted_[name] = addPlace(c->second, name);
  }
  lastKept_ = before_ = kNever;
}

PictureRecorder::~PictureRecorder() = default;

int PictureRecorder::addPlace(FrameId frame, const std::string& name) {
  const int node = model_->node(frame);
  const auto [place, first] = placeOfNode_.try_emplace(node, placeNames_.size());
  if (first) {
    nodes_.push_back(node);
    frameOf_.push_back(frame);
    placeNames_.push_back(name.empty() ? model_->frameName(frame) : name);
  }
  return place->second;
}

void PictureRecorder::bind(const PictureValue& v, int instance) {
  if (v.isConstant()) {
    constants_[&v] = {v.constant().begin(), v.constant().end()};
    return;
  }
  Bound bound{&v, numbers_, {}};
  bool varies = v.inputs().empty();
  for (const PictureValue::Input& in : v.inputs()) {
    const std::string name = (*model_)[instance].name + "." + in.name;
    InputPlace place{{}, -1, in.size};
    if (const auto input = model_->input(name)) {
      place.numbers = input->numbers;
      if (input->variable >= 0) {
        varies = true;
        const auto [known, first] = placeOfVariable_.insert({input->variable, variableElements_});
        if (first) {
          variables_.push_back(input->variable);
          variableElements_ += input->size;
        }
        place.offset = known->second;
      }
    }
    // One that could not be read.
    if (place.offset < 0) place.numbers.resize(in.size, 0.0);
    bound.inputs.push_back(std::move(place));
  }
  if (!varies) {  // all of its inputs are numbers
    std::vector<double> in, out(v.size());
    for (const InputPlace& p : bound.inputs)
      in.insert(in.end(), p.numbers.begin(), p.numbers.end());
    EvaluationTables<double> none;
    v.function()(View<double>(none), in.data(), out.data());
    constants_[&v] = {out.begin(), out.end()};
    return;
  }
  level_ = std::max(level_, v.level());
  offsets_[&v] = numbers_;
  numbers_ += v.size();
  bound_.push_back(std::move(bound));
}

int PictureRecorder::place(FrameId frame) const {
  if (!frame.valid()) return 0;
  return placeOfNode_.at(model_->node(frame));
}

const float* PictureRecorder::value(size_t row, const PictureValue& v) const {
  const auto c = constants_.find(&v);
  return c != constants_.end() ? c->second.data() : &kept_[row].numbers[offsets_.at(&v)];
}

void PictureRecorder::look(double t, const View<double>& x, std::span<const double> values) {
  decide(pending_ && pending_->time == t);
  Row row;
  row.time = t;
  row.event = before_ == t;
  row.motions.resize(7 * nodes_.size());
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const FrameState<double>& f = x.frame(frameOf_[i]);
    double* m = &row.motions[7 * i];
    for (int k = 0; k < 3; ++k) m[k] = f.r_0[k];
    Vector4<double> guess(0, 0, 0, 1);
    if (!last_.empty()) {
      for (int k = 0; k < 4; ++k) guess[k] = last_[7 * i + 3 + k];
    }
    const Vector4<double> Q = frames::to_Q(f.R, guess);
    for (int k = 0; k < 4; ++k) m[3 + k] = Q[k];
  }
  last_ = row.motions;
  row.numbers.resize(numbers_);
  for (const Bound& b : bound_) {
    in_.clear();
    for (const InputPlace& p : b.inputs) {
      if (p.offset < 0) {
        in_.insert(in_.end(), p.numbers.begin(), p.numbers.end());
      } else {
        const double* first = values.data() + p.offset;
        in_.insert(in_.end(), first, first + p.size);
      }
    }
    out_.resize(b.value->size());
    b.value->function()(x, in_.data(), out_.data());
    std::copy(out_.begin(), out_.end(),
              row.numbers.begin() + static_cast<std::ptrdiff_t>(b.offset));
  }
  pending_ = std::make_unique<Row>(std::move(row));
}

void PictureRecorder::row(double, std::span<const double> values) {
  if (pending_) pending_->curves.assign(values.begin(), values.end());
}

/// Keeps the pending row, or not, now that the next one is known.
void PictureRecorder::decide(bool beforeEvent) {
  if (!pending_) return;
  Row& row = *pending_;
  row.event = row.event || beforeEvent;
  const double spacing = (options_.stop - options_.start) / std::max(options_.most - 1, 1);
  bool keep = kept_.empty() || row.time >= lastKept_ + spacing * (1 - 1e-6);
  if (row.event && eventRows_ < kMostEventRows) {
    keep = true;
    ++eventRows_;
  }
  before_ = row.time;
  if (keep) {
    // Events come besides: they do not move the others.
    if (!row.event || kept_.empty()) lastKept_ = row.time;
    kept_.push_back(std::move(row));
  }
  pending_.reset();
}

void PictureRecorder::finish() {
  if (!pending_) return;
  if (!kept_.empty() && kept_.back().time == pending_->time && !pending_->event) {
    pending_.reset();
    return;
  }
  kept_.push_back(std::move(*pending_));
  pending_.reset();
}

}  // namespace cardan
