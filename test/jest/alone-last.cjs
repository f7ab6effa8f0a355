// Jest would begin with the runner of the longest suite. What needs the machine comes last, when the linter,
// which runs beside the first suites, has ended.
const { default: Sequencer } = require('@jest/test-sequencer');

module.exports = class AloneLast extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const of = (name) => sorted.filter(({ context }) => context.config.displayName?.name === name);
    return [...of('beside'), ...of('pairs'), ...of('alone')];
  }
};
