// node validate_glb.js FOLDER FILE.glb: what gltf-validator (npm, below FOLDER) finds wrong with a file.
const fs = require('fs'), path = require('path');
const validator = require(path.join(process.argv[2], 'node_modules/gltf-validator'));
validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[3]))).then(report => {
  const {numErrors, numWarnings, messages} = report.issues;
  for (const m of messages.filter(m => m.severity < 2).slice(0, 5)) console.log(m.code, m.pointer, m.message);
  process.exit(numErrors + numWarnings > 0 ? 1 : 0);
});
