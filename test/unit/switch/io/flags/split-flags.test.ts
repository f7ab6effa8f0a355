import { splitFlags } from '../../../../../switch/io/flags/split-flags';

const split = (...argv: readonly string[]): object => {
  const { given, positional } = splitFlags(argv);
  return { given: given.map(({ flag, value }) => [flag.name, value]), positional };
};

describe('splitting a command line', () => {
  test.each([[['--device-id', '3']], [['--device-id=3']]])(
    'a long flag takes its value behind a space or a sign: %j',
    (argv) => {
      expect(split(...argv)).toEqual({ given: [['device-id', '3']], positional: [] });
    },
  );

  test.each([[['-i', '0@eth0']], [['-i0@eth0']]])(
    'a letter takes its value behind a space or at once: %j',
    (argv) => {
      expect(split(...argv)).toEqual({ given: [['interface', '0@eth0']], positional: [] });
    },
  );

  test('a value may hold signs of its own', () => {
    expect(split('--link-rate-bps=1=1e9')).toEqual({
      given: [['link-rate-bps', '1=1e9']],
      positional: [],
    });
  });

  test('an optional value is the next argument, unless that is a flag', () => {
    const withDir = { given: [['pcap', 'dir']], positional: ['x.json'] };
    expect(split('--pcap', 'dir', 'x.json')).toEqual(withDir);
    expect(split('--pcap=dir', 'x.json')).toEqual(withDir);
    expect(split('x.json', '--pcap')).toEqual({ given: [['pcap', '']], positional: ['x.json'] });
    expect(split('x.json', '--pcap', '--')).toEqual({
      given: [['pcap', '']],
      positional: ['x.json'],
    });
  });

  test('the separator changes nothing', () => {
    expect(split('x.json', '--', '--cpu-port', '255')).toEqual({
      given: [['cpu-port', '255']],
      positional: ['x.json'],
    });
  });

  test.each([
    [['--wrong'], 'unknown flag --wrong'],
    [['-z'], 'unknown flag -z'],
    [['x.json', '--', '--also-wrong', '3'], 'unknown flag --also-wrong'],
    [['--device-id'], '--device-id needs a value'],
    [['--device-id', '--', '--cpu-port', '1'], '--device-id needs a value'],
    [['--no-p4=yes'], "--no-p4 takes no value, and 'yes' was given"],
  ])('%j is refused: %s', (argv, message) => {
    expect(() => splitFlags(argv)).toThrow(message);
  });
});
