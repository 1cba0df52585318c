#include "engine/robots/mjcf/vocabulary.h"

namespace cardan::robots::mjcf {
namespace {

constexpr const char* kTable = R"(
mujoco:
  + model
mujoco as attached.mujoco (mujoco): model
  - model

# Settings
compiler: mujoco
  + angle autolimits eulerseq coordinate meshdir assetdir strippath inertiafromgeom
  + inertiagrouprange settotalmass boundmass boundinertia balanceinertia fitaabb exactmeshinertia
  + alignfree
  - conflict convexhull discardvisual fusestatic saveinertial texturedir usethread
lengthrange: compiler - settings of muscles
  - mode useexisting uselimit accel maxforce timeconst timestep inttotal interval inteval tolrange
option: mujoco
  + gravity actuatorgroupdisable timestep density viscosity wind
  - magnetic apirate impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance
  - sleep_tolerance mpr_tolerance o_margin o_solref o_solimp o_friction collision integrator cone
  - jacobian solver iterations ls_iterations noslip_iterations ccd_iterations mpr_iterations
  - sdf_iterations sdf_initpoints
flag: option
  + constraint contact equality frictionloss limit passive spring damper gravity clampctrl actuation
  + refsafe sleep
  - warmstart filterparent sensor sensornoise midphase eulerdamp autoreset override
  - energy fwdinv invdiscrete multiccd island nativeccd diagexact
size: mujoco - settings of another simulator
  - memory njmax nconmax nstack nuserdata nkey nuser_body nuser_jnt nuser_geom nuser_site nuser_cam
  - nuser_tendon nuser_actuator nuser_sensor
statistic: mujoco - settings of a picture
  - center extent meaninertia meanmass meansize
visual: mujoco - settings of a picture
global: visual
  - azimuth bvactive cameraid elevation ellipsoidinertia fovy glow ipd linewidth offheight offwidth
  - orthographic realtime
quality: visual
  - numquads numslices numstacks offsamples shadowsize
headlight: visual
  - active ambient diffuse specular
map: visual
  - actuatortendon alpha fogend fogstart force haze shadowclip shadowscale stiffness stiffnessrot
  - torque zfar znear
scale: visual
  - actuatorlength actuatorwidth camera com connect constraint contactheight contactwidth forcewidth
  - framelength framewidth frustum jointlength jointwidth light selectpoint slidercrank
rgba: visual
  - actuator actuatornegative actuatorpositive bv bvactive camera com connect constraint contactforce
  - contactfriction contactgap contactpoint contacttorque crankbroken fog force frustum haze inertia
  - joint light rangefinder selectpoint slidercrank
custom: mujoco - settings of another simulator
numeric: custom
  - name size data
text: custom
  - name data
tuple: custom
  - name
element: tuple
  - objtype objname prm
extension: mujoco - settings of another simulator
plugin as extension.plugin: extension
  - plugin
instance: extension.plugin
  - name
config: instance plugin
  - key value
plugin: body mesh geom composite flexcomp actuator sensor ! what plugins do is not computed
  - plugin instance name class group joint jointinparent site tendon slidersite cranksite cranklength
  - gear ctrlrange forcerange actrange lengthrange ctrllimited forcelimited actlimited actdim actearly
  - dyntype dynprm armature damping delay nsample interp user cutoff objtype objname reftype refname

# Defaults
default: mujoco default
  + class

# Assets
asset: mujoco
mesh: asset default
  + name class file vertex face scale refpos refquat inertia content_type builtin
  - params normal texcoord smoothnormal maxhullvert material
material: asset default
  + name class rgba
  - texture texrepeat texuniform emission specular shininess reflectance metallic roughness
layer: material - settings of a picture
  - role texture
texture: asset - settings of a picture
  - name type colorspace content_type file builtin rgb1 rgb2 mark markrgb random width height nchannel
  - hflip vflip gridsize gridlayout fileright fileleft fileup filedown filefront fileback
hfield: asset
  + name content_type file nrow ncol size elevation
skin: asset deformable - no skin is drawn
  - name file material rgba inflate vertex texcoord face group
bone: skin
  - body bindpos bindquat vertid vertweight
model: asset
  + name file content_type

# Bodies
worldbody (body): mujoco
  - name pos quat axisangle xyaxes zaxis euler childclass gravcomp mocap sleep simple user
frame (body): body
  + name childclass pos quat axisangle xyaxes zaxis euler
replicate (body): body
  + count offset euler sep childclass
attach: body
  + model body frame prefix
body: body
  + name childclass pos quat axisangle xyaxes zaxis euler gravcomp mocap sleep
  - simple user
inertial: body
  + pos quat axisangle xyaxes zaxis euler mass diaginertia fullinertia
joint: body default
  + name class type pos axis ref springref springdamper damping stiffness armature frictionloss
  + limited range solreflimit solimplimit actuatorfrclimited actuatorfrcrange actuatorforcelimited
  + actuatorforcerange
  ! margin | a stop begins at the end of the range
  ! actuatorgravcomp=false | what holds the weight is not limited with the forces of the drives
  - group user solreffriction solimpfriction
freejoint: body
  + name
  - group align
geom: body default
  + name class type pos quat axisangle xyaxes zaxis euler fromto size mass density shellinertia mesh
  + fitscale group rgba material contype conaffinity
  + condim priority friction solmix solref solimp margin gap hfield fluidshape
  - fluidcoef user
  - adhesion surfacevel
site: body default
  + name class pos quat axisangle xyaxes zaxis euler fromto
  - type group size material rgba user
camera: body default - settings of a picture
  - name class pos quat axisangle xyaxes zaxis euler mode target fovy ipd orthographic projection
  - resolution focal focalpixel principal principalpixel sensorsize output user
light: body default - settings of a picture
  - name class pos dir mode target directional castshadow active bulbradius attenuation cutoff exponent
  - ambient diffuse specular intensity range softness texture type
composite: body x it makes bodies that bend
  - prefix type count spacing offset vertex initial curve size quat flatinertia solrefsmooth
  - solimpsmooth face
joint as composite.joint: composite
  - kind group stiffness damping armature limited range margin solreflimit solimplimit frictionloss
  - solreffriction solimpfriction solreffix solimpfix type axis
tendon as composite.tendon: composite
  - kind group stiffness damping limited range margin solreflimit solimplimit frictionloss
  - solreffriction solimpfriction solreffix solimpfix material rgba width
skin as composite.skin: composite
  - group inflate material rgba subgrid texcoord
geom site as composite.geom: composite
  - type contype conaffinity condim group priority size material rgba friction mass density solmix
  - solref solimp margin gap adhesion surfacevel
pin as composite.pin: composite
  - coord
flexcomp: body x it makes bodies that bend
  - name class type group dim dof count spacing radius rigid mass inertiabox scale file point element
  - texcoord material rgba flatskin pos quat axisangle xyaxes zaxis euler origin cellcount
edge: flexcomp flex
  - equality stiffness damping solref solimp
elasticity: flexcomp flex
  - young poisson damping thickness elastic2d
contact as flex.contact: flexcomp flex
  - contype conaffinity condim priority friction solmix solref solimp margin gap internal selfcollide
  - activelayers passive vertcollide
pin: flexcomp
  - id range grid gridrange
deformable: mujoco ! bodies are rigid
flex: deformable
  - name group dim dof radius material rgba flatskin body vertex element texcoord elemtexcoord node
  - nodecoord cellcount

# Contacts
contact: mujoco
pair: contact default
  + name class geom1 geom2 condim friction solref solimp gap margin
  - solreffriction adhesion
exclude: contact
  + body1 body2
  - name

# Constraints
equality: mujoco
equality as default.equality: default
  + active
  - solref solimp
connect: equality
  + name class active body1 body2 anchor site1 site2
  - solref solimp
weld: equality
  + name class active body1 body2 anchor relpose site1 site2 torquescale
  - solref solimp
joint as equality.joint: equality
  + class active joint1 joint2 polycoef
  - name solref solimp
tendon as equality.tendon: equality
  + class active tendon1 tendon2 polycoef
  - name solref solimp
flex flexvert flexstrain distance as equality.flex: equality
  + name class active
  - flex cell geom1 geom2 distance solref solimp

# Tendons
tendon: mujoco
tendon as default.tendon: default
  + limited range solreflimit solimplimit springlength stiffness damping
  ! margin | a stop begins at the end of the range
  ! frictionloss armature actuatorfrcrange | there is nothing for it
  - group actuatorfrclimited solreffriction solimpfriction width material rgba user
fixed spatial: tendon
  + name class limited range solreflimit solimplimit springlength stiffness damping
  ! margin | a stop begins at the end of the range
  ! frictionloss armature actuatorfrcrange | there is nothing for it
  - group actuatorfrclimited solreffriction solimpfriction width material rgba user
site as tendon.site: spatial
  + site
geom as tendon.geom: spatial
  + geom sidesite
pulley: spatial
  + divisor
joint as tendon.joint: fixed
  + joint coef

# Actuators: all kinds have these
drive:
  + name class group joint jointinparent gear ctrllimited ctrlrange forcelimited forcerange
  + armature damping
  ! delay | its input acts at once
  + tendon site
  - refsite slidersite cranksite cranklength lengthrange nsample interp user
actuator: mujoco
general: actuator default
  = drive
  + dyntype gaintype biastype gainprm biasprm dynprm actlimited actrange
  - body actdim actearly input velrange ffrange
motor: actuator default
  = drive
position: actuator default
  = drive
  + kp kv dampratio timeconst inheritrange
velocity: actuator default
  = drive
  + kv
intvelocity: actuator default
  = drive
  + kp kv dampratio inheritrange actlimited actrange
damper: actuator default
  = drive
  + kv
cylinder: actuator default
  = drive
  + timeconst area diameter bias
muscle: actuator default
  = drive
  + timeconst tausmooth range force scale lmin lmax vmax fpmax fvmax
adhesion: actuator default
  + name class group forcelimited ctrlrange forcerange gain
  - ctrllimited body delay nsample interp user
pid: actuator default
  = drive
  + kp ki kv dampratio imax slewmax inheritrange
  - input posrange velrange ffrange
orientation: actuator default
  = drive
  + kp kv dampratio
  - input
dcmotor: actuator default
  = drive
  + motorconst resistance nominal saturation inductance cogging controller thermal lugre
  - input

# Sensors and states
sensor: mujoco - sensors of a robot take no part in its motion
touch accelerometer velocimeter gyro force torque magnetometer camprojection rangefinder as sensor.1: sensor
  - name site camera data cutoff noise user delay nsample interp interval
jointpos jointvel tendonpos tendonvel actuatorpos actuatorvel actuatorfrc as sensor.2: sensor
  - name joint tendon actuator cutoff noise user delay nsample interp interval
jointactuatorfrc tendonactuatorfrc ballquat ballangvel jointlimitpos as sensor.3: sensor
  = sensor.2
jointlimitvel jointlimitfrc tendonlimitpos tendonlimitvel tendonlimitfrc as sensor.4: sensor
  = sensor.2
framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel as sensor.5: sensor
  - name objtype objname reftype refname site cutoff noise user delay nsample interp interval
framelinacc frameangacc insidesite as sensor.6: sensor
  = sensor.5
subtreecom subtreelinvel subtreeangmom distance normal fromto contact tactile as sensor.7: sensor
  - name body geom mesh body1 body2 geom1 geom2 subtree1 subtree2 site num data reduce cutoff noise user
  - delay nsample interp interval
clock e_potential e_kinetic user as sensor.8: sensor
  - name objtype objname datatype needstage dim cutoff noise user delay nsample interp interval
keyframe: mujoco - another start is said with --set, or with --start FILE of an earlier run
key: keyframe
  - name time qpos qvel act ctrl mpos mquat
)";

}  // namespace

const XmlVocabulary& vocabulary() {
  static const XmlVocabulary table(kTable);
  return table;
}

}  // namespace cardan::robots::mjcf
