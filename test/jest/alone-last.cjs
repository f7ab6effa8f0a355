// Jest would begin with the runner of the longest suite. What has the machine to itself comes last, when
// the linter, which runs beside the first suites, has ended.
const { default: Sequencer } = require('@jest/test-sequencer');

module.exports = class AloneLast extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isAlone = ({ context }) => context.config.displayName?.name === 'alone';
    return [...sorted.filter((each) => !isAlone(each)), ...sorted.filter(isAlone)];
  }
};
