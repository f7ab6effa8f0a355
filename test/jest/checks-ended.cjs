// `hpcc test` runs the linter beside the first suites, and closes a descriptor when nothing more of it runs.
const net = require('node:net');

let ended;

/** Resolves when the checks have ended that run beside the suites. */
module.exports.checksEnded = () => {
  const fd = process.env.HPCC_CHECKS_FD;
  delete process.env.HPCC_CHECKS_FD;
  ended ??=
    fd === undefined
      ? Promise.resolve()
      : new Promise((resolve) => {
          new net.Socket({ fd: Number(fd), readable: true }).resume().once('close', resolve);
        });
  return ended;
};
