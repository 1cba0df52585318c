#include "engine/integration/dormand_prince.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace cardan {
namespace {

// The tableau, rows a[i] of the stages with their times c; then those of the dense output. Zeros
// stand where a method of this order has none.
constexpr int kStagesInAll = 16;

constexpr double kC[kStagesInAll] = {0,
                                     0.526001519587677318785587544488e-1,
                                     0.789002279381515978178381316732e-1,
                                     0.118350341907227396726757197510,
                                     0.281649658092772603273242802490,
                                     1.0 / 3,
                                     0.25,
                                     4.0 / 13,
                                     0.651282051282051282051282051282,
                                     0.6,
                                     6.0 / 7,
                                     1,
                                     1,
                                     0.1,
                                     0.2,
                                     7.0 / 9};

constexpr double kA[kStagesInAll][kStagesInAll - 1] = {
    {},
    {5.26001519587677318785587544488e-2},
    {1.97250569845378994544595329183e-2, 5.91751709536136983633785987549e-2},
    {2.95875854768068491816892993775e-2, 0, 8.87627564304205475450678981324e-2},
    {2.41365134159266685502369798665e-1, 0, -8.84549479328286085344864962717e-1,
     9.24834003261792003115737966543e-1},
    {3.7037037037037037037037037037e-2, 0, 0, 1.70828608729473871279604482173e-1,
     1.25467687566822425016691814123e-1},
    {3.7109375e-2, 0, 0, 1.70252211019544039314978060272e-1, 6.02165389804559606850219397283e-2,
     -1.7578125e-2},
    {3.70920001185047927108779319836e-2, 0, 0, 1.70383925712239993810214054705e-1,
     1.07262030446373284651809199168e-1, -1.53194377486244017527936158236e-2,
     8.27378916381402288758473766002e-3},
    {6.24110958716075717114429577812e-1, 0, 0, -3.36089262944694129406857109825,
     -8.68219346841726006818189891453e-1, 2.75920996994467083049415600797e1,
     2.01540675504778934086186788979e1, -4.34898841810699588477366255144e1},
    {4.77662536438264365890433908527e-1, 0, 0, -2.48811461997166764192642586468,
     -5.90290826836842996371446475743e-1, 2.12300514481811942347288949897e1,
     1.52792336328824235832596922938e1, -3.32882109689848629194453265587e1,
     -2.03312017085086261358222928593e-2},
    {-9.3714243008598732571704021658e-1, 0, 0, 5.18637242884406370830023853209,
     1.09143734899672957818500254654, -8.14978701074692612513997267357,
     -1.85200656599969598641566180701e1, 2.27394870993505042818970056734e1,
     2.49360555267965238987089396762, -3.0467644718982195003823669022},
    {2.27331014751653820792359768449, 0, 0, -1.05344954667372501984066689879e1,
     -2.00087205822486249909675718444, -1.79589318631187989172765950534e1,
     2.79488845294199600508499808837e1, -2.85899827713502369474065508674,
     -8.87285693353062954433549289258, 1.23605671757943030647266201528e1,
     6.43392746015763530355970484046e-1},
    // The end of the step: b.
    {5.42937341165687622380535766363e-2, 0, 0, 0, 0, 4.45031289275240888144113950566,
     1.89151789931450038304281599044, -5.8012039600105847814672114227,
     3.1116436695781989440891606237e-1, -1.52160949662516078556178806805e-1,
     2.01365400804030348374776537501e-1, 4.47106157277725905176885569043e-2},
    {5.61675022830479523392909219681e-2, 0, 0, 0, 0, 0, 2.53500210216624811088794765333e-1,
     -2.46239037470802489917441475441e-1, -1.24191423263816360469010140626e-1,
     1.5329179827876569731206322685e-1, 8.20105229563468988491666602057e-3,
     7.56789766054569976138603589584e-3, -8.298e-3},
    {3.18346481635021405060768473261e-2, 0, 0, 0, 0, 2.83009096723667755288322961402e-2,
     5.35419883074385676223797384372e-2, -5.49237485713909884646569340306e-2, 0, 0,
     -1.08347328697249322858509316994e-4, 3.82571090835658412954920192323e-4,
     -3.40465008687404560802977114492e-4, 1.41312443674632500278074618366e-1},
    {-4.28896301583791923408573538692e-1, 0, 0, 0, 0, -4.69762141536116384314449447206,
     7.68342119606259904184240953878, 4.06898981839711007970213554331,
     3.56727187455281109270669543021e-1, 0, 0, 0, -1.39902416515901462129418009734e-3,
     2.9475147891527723389556272149, -9.15095847217987001081870187138}};

constexpr int kB = 12;  // row of the end

// The error of order 5 by the twelve stages, and what the method of order 3 has in place of b.
constexpr double kError5[12] = {0.1312004499419488073250102996e-1,
                                0,
                                0,
                                0,
                                0,
                                -0.1225156446376204440720569753e+1,
                                -0.4957589496572501915214079952,
                                0.1664377182454986536961530415e+1,
                                -0.3503288487499736816886487290,
                                0.3341791187130174790297318841,
                                0.8192320648511571246570742613e-1,
                                -0.2235530786388629525884427845e-1};
constexpr double kB3First = 0.244094488188976377952755905512;
constexpr double kB3Ninth = 0.733846688281611857341361741547;
constexpr double kB3Last = 0.220588235294117647058823529412e-1;

// Coefficients of the dense output from the fourth power on, by all stages.
constexpr double kD[4][kStagesInAll] = {
    {-0.84289382761090128651353491142e+1, 0, 0, 0, 0, 0.56671495351937776962531783590,
     -0.30689499459498916912797304727e+1, 0.23846676565120698287728149680e+1,
     0.21170345824450282767155149946e+1, -0.87139158377797299206789907490,
     0.22404374302607882758541771650e+1, 0.63157877876946881815570249290,
     -0.88990336451333310820698117400e-1, 0.18148505520854727256656404962e+2,
     -0.91946323924783554000451984436e+1, -0.44360363875948939664310572000e+1},
    {0.10427508642579134603413151009e+2, 0, 0, 0, 0, 0.24228349177525818288430175319e+3,
     0.16520045171727028198505394887e+3, -0.37454675472269020279518312152e+3,
     -0.22113666853125306036270938578e+2, 0.77334326684722638389603898808e+1,
     -0.30674084731089398182061213626e+2, -0.93321305264302278729567221706e+1,
     0.15697238121770843886131091075e+2, -0.31139403219565177677282850411e+2,
     -0.93529243588444783865713862664e+1, 0.35816841486394083752465898540e+2},
    {0.19985053242002433820987653617e+2, 0, 0, 0, 0, -0.38703730874935176555105901742e+3,
     -0.18917813819516756882830838328e+3, 0.52780815920542364900561016686e+3,
     -0.11573902539959630126141871134e+2, 0.68812326946963000169666922661e+1,
     -0.10006050966910838403183860980e+1, 0.77771377980534432092869265740,
     -0.27782057523535084065932004339e+1, -0.60196695231264120758267380846e+2,
     0.84320405506677161018159903784e+2, 0.11992291136182789328035130030e+2},
    {-0.25693933462703749003312586129e+2, 0, 0, 0, 0, -0.15418974869023643374053993627e+3,
     -0.23152937917604549567536039109e+3, 0.35763911791061412378285349910e+3,
     0.93405324183624310003907691704e+2, -0.37458323136451633156875139351e+2,
     0.10409964950896230045147246184e+3, 0.29840293426660503123344363579e+2,
     -0.43533456590011143754432175058e+2, 0.96324553959188282948394950600e+2,
     -0.39177261675615439165231486172e+2, -0.14972683625798562581422125276e+3}};

// Step control.
constexpr double kStepSafety = 0.9;
constexpr double kMostShorter = 0.1, kMostLonger = 6;
constexpr double kWithoutError = 1.0 / 3;  // of the step, where no error tells
constexpr double kOverlooked = 100;  // changes of stages without weight by those of all others
constexpr double kOrder = 8;

// Behind a start or an event, where a kink makes large errors of order 5, the bend of other states, of order
// 3, must not hide them: errors of each state by itself are up to so many times what counts.
constexpr double kHidden = 3;

// Tolerances that the projection may move the end of a step: the local error is one at most, so
// that more is no correction, but a jump.
constexpr double kMostProjected = 10;

// Stiffness: of 15 hits and 6 others in a row the head of the class says. States that differ by
// less than this, in tolerances, tell nothing but rounding.
constexpr double kStableLength = 6.1;
constexpr int kOthersToForget = 6;
constexpr double kTelling = 1e-4;
// Where what fades within a step sets its length, the error of order 3 is less than twelve times that of
// order 5, of smooth motions dozens or hundreds of times as large. By their squares, of errors that tell.
constexpr double kFading = 150, kTellingError = 0.1;

}  // namespace

DormandPrince::DormandPrince(OdeSystem& system, std::vector<double> relativeTolerances,
                             std::vector<double> absoluteTolerances)
    : system_(system),
      relative_(std::move(relativeTolerances)),
      absolute_(std::move(absoluteTolerances)) {
  static_assert(kAll == kStagesInAll);
  for (auto* v : {&yBegin_, &yEnd_, &inside_, &last_}) v->resize(absolute_.size());
  for (auto& k : k_) k.resize(absolute_.size());
  for (auto& d : dense_) d.resize(absolute_.size());
}

double DormandPrince::norm(const double* change, const double* y) const {
  const std::size_t n = absolute_.size();
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = change[i] / (absolute_[i] + relative_[i] * std::abs(y[i]));
    sum += x * x;
  }
  return n > 0 ? std::sqrt(sum / static_cast<double>(n)) : 0;
}

void DormandPrince::start(double t, const double* y, const double* f) {
  begin_ = end_ = t;
  fresh_ = hasDense_ = rejected_ = false;
  begins_ = true;
  std::copy_n(y, yBegin_.size(), yBegin_.begin());
  std::copy_n(f, yBegin_.size(), k_[0].begin());
  proposal_ = error_ = projected_ = stiffness_ = 0;
  stiff_ = fading_ = {};
}

void DormandPrince::replace(const double* y, const double* f) {
  begin_ = time();
  fresh_ = hasDense_ = false;
  std::copy_n(y, yBegin_.size(), yBegin_.begin());
  std::copy_n(f, yBegin_.size(), k_[0].begin());
}

/// inside_ = y + h sum a_ij k_j, and its rates. False: not computable.
bool DormandPrince::stage(int i, double h) {
  std::copy(yBegin_.begin(), yBegin_.end(), inside_.begin());
  for (int j = 0; j < i; ++j) {
    const double c = h * kA[i][j];
    if (c == 0) continue;
    const double* k = k_[j].data();
    for (std::size_t e = 0; e < inside_.size(); ++e) inside_[e] += c * k[e];
  }
  return system_.rates(begin_ + kC[i] * h, inside_.data(), k_[i].data());
}

int DormandPrince::leadingError() const {
  if (!fresh_) return -1;
  int worst = -1;
  double largest = 0;
  for (std::size_t e = 0; e < absolute_.size(); ++e) {
    double fifth = 0;
    for (const int j : {0, 5, 6, 7, 8, 9, 10, 11}) fifth += kError5[j] * k_[j][e];
    const double size =
        std::abs(fifth) /
        (absolute_[e] + relative_[e] * std::max(std::abs(yBegin_[e]), std::abs(yEnd_[e])));
    if (size <= largest) continue;
    largest = size;
    worst = e;
  }
  return worst;
}

DormandPrince::Trial DormandPrince::attempt(double h) {
  if (fresh_) {
    begin_ = end_;
    yBegin_.swap(yEnd_);
    k_[0].swap(k_[kEnd]);
    fresh_ = hasDense_ = false;
  }
  const auto shorter = [&](double factor, Trial trial) {
    proposal_ = h * factor;
    rejected_ = true;
    return trial;
  };
  for (int i = 1; i < kStages; ++i) {
    if (!stage(i, h)) return shorter(kWithoutError, Trial::NotComputable);
  }
  last_.swap(inside_);

  const std::size_t n = absolute_.size();
  double e5 = 0, e3 = 0, sum = 0;
  for (std::size_t e = 0; e < n; ++e) {
    double slope = 0, fifth = 0;
    for (const int j : {0, 5, 6, 7, 8, 9, 10, 11}) {
      const double k = k_[j][e];
      slope += kA[kB][j] * k;
      fifth += kError5[j] * k;
    }
    const double third = slope - kB3First * k_[0][e] - kB3Ninth * k_[8][e] - kB3Last * k_[11][e];
    yEnd_[e] = yBegin_[e] + h * slope;
    const double w =
        1 / (absolute_[e] + relative_[e] * std::max(std::abs(yBegin_[e]), std::abs(yEnd_[e])));
    const double square5 = fifth * w * fifth * w, square3 = third * w * third * w;
    e5 += square5;
    e3 += square3;
    if (square5 > 0) sum += square5 * (square5 / (square5 + 0.01 * square3));
  }
  const double whole = e5 > 0 ? e5 * (e5 / (e5 + 0.01 * e3)) : 0;
  sum = begins_ ? std::max(whole, sum / (kHidden * kHidden)) : whole;
  error_ = n > 0 ? std::abs(h) * std::sqrt(sum / static_cast<double>(n)) : 0;
  if (!std::isfinite(error_)) return shorter(kWithoutError, Trial::NotComputable);
  fades_ = error_ > kTellingError && e3 < kFading * e5;
  const double factor = std::clamp(kStepSafety * std::pow(std::max(error_, 1e-30), -1 / kOrder),
                                   kMostShorter, kMostLonger);
  if (error_ > 1) return shorter(factor, Trial::TooLarge);
  if (overlooks()) return shorter(kWithoutError, Trial::TooLarge);
  if (!projectEnd(h)) return shorter(kWithoutError, Trial::NotProjected);
  if (!system_.rates(begin_ + h, yEnd_.data(), k_[kEnd].data())) {
    return shorter(kWithoutError, Trial::NotComputable);
  }
  proposal_ = h * (rejected_ ? std::min(factor, 1.0) : factor);
  rejected_ = begins_ = false;
  end_ = begin_ + h;
  fresh_ = true;
  judgeStiffness(h);
  return Trial::Accepted;
}

/// The first stages after the begin have no weight, nor part in the error: what they alone have met,
/// as a hard obstacle that throws the others away from it, would pass unseen.
bool DormandPrince::overlooks() const {
  double weighted = 0, others = 0;
  for (std::size_t e = 0; e < absolute_.size(); ++e) {
    const double w =
        1 / (absolute_[e] + relative_[e] * std::max(std::abs(yBegin_[e]), std::abs(yEnd_[e])));
    const auto change = [&](int j) { return std::abs(k_[j][e] - k_[0][e]) * w; };
    for (int j = 1; j < 5; ++j) others = std::max(others, change(j));
    for (int j = 5; j < kStages; ++j) weighted = std::max(weighted, change(j));
    weighted = std::max(weighted, std::abs(k_[0][e]) * w);
  }
  return others > kOverlooked * weighted;
}

bool DormandPrince::projectEnd(double h) {
  std::copy(yEnd_.begin(), yEnd_.end(), inside_.begin());
  if (!system_.project(begin_ + h, yEnd_.data())) return false;
  for (std::size_t e = 0; e < inside_.size(); ++e) inside_[e] -= yEnd_[e];
  projected_ = norm(inside_.data(), yEnd_.data());
  return projected_ <= kMostProjected;
}

/// The last stage lies at the end of the step, too: how much its rates differ from those there, by
/// how much its states do.
void DormandPrince::judgeStiffness(double h) {
  for (std::size_t e = 0; e < inside_.size(); ++e) {
    inside_[e] = k_[kEnd][e] - k_[kStages - 1][e];
    last_[e] -= yEnd_[e];
  }
  const double states = norm(last_.data(), yEnd_.data());
  const double rates = norm(inside_.data(), yEnd_.data());
  stiffness_ = states > kTelling ? std::abs(h) * rates / states : 0;
  stiff_.note(stiffness_ > kStableLength);
  fading_.note(fades_);
}

void DormandPrince::Steps::note(bool isOne) {
  if (isOne) {
    others = 0;
    ++these;
  } else if (these > 0 && ++others >= kOthersToForget) {
    *this = {};
  }
}

double DormandPrince::firstStep(double most) {
  const double size = norm(y().data(), y().data()), speed = norm(rates().data(), y().data());
  double h = size < 1e-5 || speed < 1e-5 ? 1e-3 * most : 0.01 * size / speed;
  h = std::min(h, most);
  for (std::size_t e = 0; e < inside_.size(); ++e) inside_[e] = y()[e] + h * rates()[e];
  if (!(h > 0) || !system_.rates(time() + h, inside_.data(), last_.data())) return h;
  for (std::size_t e = 0; e < inside_.size(); ++e) last_[e] -= rates()[e];
  const double bend = norm(last_.data(), y().data()) / h;
  const double fastest = std::max(speed, bend);
  if (!std::isfinite(fastest)) return h;
  const double byError = fastest > 1e-15 ? std::pow(0.01 / fastest, 1 / kOrder) : most;
  return std::min({100 * h, byError, most});
}

/// The polynomial of the last step. Where one of its evaluations is not possible it keeps to the values
/// and rates at both ends and, if one can be had, at a point between them.
void DormandPrince::prepareDense() {
  const double h = end_ - begin_;
  bool computable = true;
  for (int i = kEnd + 1; i < kAll && computable; ++i) computable = stage(i, h);
  for (std::size_t e = 0; e < yBegin_.size(); ++e) {
    const double change = yEnd_[e] - yBegin_[e];
    const double bend = h * k_[0][e] - change;
    dense_[0][e] = change;
    dense_[1][e] = bend;
    dense_[2][e] = change - h * k_[kEnd][e] - bend;
    for (std::size_t p = 0; p < 4; ++p) {
      double sum = 0;
      for (std::size_t j = 0; j < kAll && computable; ++j) {
        if (kD[p][j] != 0) sum += kD[p][j] * k_[j][e];
      }
      dense_[3 + p][e] = h * sum;
    }
  }
  hasDense_ = true;
  if (!computable) denseByPartOfStep();
}

/// To a polynomial that keeps to both ends, s^2 (1 - s)^2 (a + b s) with the value and the rate of a
/// shorter step's end: of degree five, where the step passes over a point that cannot be evaluated.
void DormandPrince::denseByPartOfStep() {
  const double h = end_ - begin_;
  for (const double s : {0.5, 0.4, 0.6}) {
    bool computable = true;
    for (int i = 1; i < kStages && computable; ++i) computable = stage(i, s * h);
    if (!computable) continue;
    std::copy(yBegin_.begin(), yBegin_.end(), inside_.begin());
    for (int j = 0; j < kStages; ++j) {
      for (std::size_t e = 0; e < inside_.size(); ++e) inside_[e] += s * h * kA[kB][j] * k_[j][e];
    }
    if (!system_.rates(begin_ + s * h, inside_.data(), last_.data())) continue;
    const double r = 1 - s, hump = s * s * r * r, rise = 2 * s * r * (r - s);
    for (std::size_t e = 0; e < inside_.size(); ++e) {
      const auto& d = dense_;
      const double value = s * (d[0][e] + r * (d[1][e] + s * d[2][e]));
      const double slope = d[0][e] + (r - s) * d[1][e] + s * (2 * r - s) * d[2][e];
      const double sum = (inside_[e] - yBegin_[e] - value) / hump;  // a + b s
      const double b = (h * last_[e] - slope - rise * sum) / hump;
      dense_[3][e] = sum - b * s;
      dense_[4][e] = b;
    }
    return;
  }
}

void DormandPrince::interpolate(double t, double* y, double* f) {
  const double h = end_ - begin_;
  if (!hasDense_) prepareDense();
  const double s = h > 0 ? (t - begin_) / h : 0, r = 1 - s;
  // From the inside: factors s and 1 - s in turn.
  for (std::size_t e = 0; e < yBegin_.size(); ++e) {
    double p = 0, slope = 0;
    for (std::size_t i = dense_.size(); i-- > 0;) {
      p += dense_[i][e];
      const bool rising = i % 2 == 0;
      slope = rising ? slope * s + p : slope * r - p;
      p *= rising ? s : r;
    }
    y[e] = yBegin_[e] + p;
    if (f) f[e] = h > 0 ? slope / h : k_[0][e];
  }
}

}  // namespace cardan
