import { ownWords } from '../../../bench/live/own-words';

const BOTH = ['--base-rtt-us', '300', '--ack-every', '8', '--max-stage', '0'];

describe('a host of a bench', () => {
  it('gets the options of both hosts that have an effect at its end of flows', () => {
    expect(ownWords(['send', '10.0.0.2', '--json', ...BOTH])).toEqual(
      'send 10.0.0.2 --json --base-rtt-us 300 --max-stage 0'.split(' '),
    );
    expect(ownWords(['agent', ...BOTH])).toEqual(
      'agent --base-rtt-us 300 --ack-every 8'.split(' '),
    );
  });
});
