// Jest begins with the suites that took longest last time. A checkout that has run none yet begins with these: a
// long suite that begins last would keep all from ending.
const { default: Sequencer } = require('@jest/test-sequencer');

const LONG = [
  'package/package',
  'package/how-to-pages',
  'environment/environment',
  'p4/profiles-on-bmv2',
  'scenario/settings',
  'scenario/coordination',
  'unit/cli/study/study',
  'unit/cli/study/kills',
  'p4/wrong-programs',
  'scenario/judge',
  'scenario/trimming',
  'scenario/custom-algorithm',
  'scenario/network-backend',
  'scenario/notification-faults',
  'scenario/usid-paths',
  'scenario/long-paths',
  'conformance/p4runtime',
  'conformance/escapes',
  'p4/profiles',
  'unit/cli/commands/decode',
  'unit/controller/io/tofino-network',
  'unit/emulator/study/io/kept-results',
  'unit/emulator/figures/dictionary',
  'unit/host-agent/io/live/run-agent',
  'unit/host-agent/io/live/combinations',
  'unit/host-agent/io/live/responses-and-keys',
  'mininet/experiment',
  'mininet/python',
  'mininet/tutorials',
  'bmv2/judge',
];

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLong = ({ path }) => LONG.some((name) => path.includes(`/test/${name}`));
    const unknown = (test) => test.duration === undefined && isLong(test);
    return [...sorted.filter(unknown), ...sorted.filter((test) => !unknown(test))];
  }
};
