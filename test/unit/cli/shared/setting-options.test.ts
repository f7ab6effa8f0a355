import { Command } from 'commander';
import { checkGiven, givenSettings, withSettings } from '../../../../cli/shared/setting-options';
import { parametersSchema } from '../../../../emulator/scenario/parameters';
import { sendOptions } from '../../../../host-agent/io/options/send-options';
import { configurationOf, routeOf } from '../../../../host-agent/settings/configuration';
import { optionOf, PLACES } from '../../../../host-agent/settings/setting';
import type { Place } from '../../../../host-agent/settings/setting';
import { SETTINGS, settingsOn, withHostDefaults } from '../../../../host-agent/settings/settings';
import type { Settings } from '../../../../host-agent/settings/settings';

function parse(
  line: string,
  place: Place = 'agent',
  note: (text: string) => void = () => undefined,
) {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  withSettings(command, place);
  const host = place === 'scenario' ? [] : ['-i', 'eth1'];
  command.parse([...host, ...line.split(' ').filter(Boolean)], { from: 'user' });
  return { command, settings: givenSettings(command, place, note) };
}

function checked(line: string): Settings {
  const { settings } = parse(line);
  checkGiven(settings, { starts: settings.send !== undefined, answers: true });
  return settings;
}

const options = (line: string) => withHostDefaults(checked(line));

describe('options of a host', () => {
  test.each([
    '-P 100000000',
    '--link-rate-bps 0.000000001',
    '-b 999999999G',
    '--mss 1000000',
    '--rto-ms 0.0000001',
    '--base-rtt-us 1e-300',
    '--base-rtt-us 1e309',
    '--hop-limit 32',
    '-t 1e300',
    '--interval 1e-9',
    '--timeout NaN',
    '--first-flow 16777216',
    '--paths 65',
    '--dscp 64',
    '--dscp -1',
    '--queue-capacity-bytes 0',
    '--fastest-link-bps 999',
    '--start-at 99999999999',
    '--ack-every 65536',
    '--target-utilization 1.1',
  ])('have ends, beyond which a run would hang or fill the memory: %s', (line) => {
    expect(() => parse(`--send 10.0.0.2 ${line}`)).toThrow(/is invalid\. must be /);
  });

  test('leave what has a default of its own open', () => {
    expect(options('')).toMatchObject({
      interface: 'eth1',
      transport: 'packet',
      baseRttUs: 1000,
      hopLimit: 8,
      rtoMs: 50,
      ackEvery: 1,
      checksum: false,
      feedback: 'ack',
    });
    for (const name of ['linkRateBps', 'mss', 'lossRecovery', 'targetUtilization']) {
      expect(options('')).not.toHaveProperty(name);
    }
  });

  test('have their units and names', () => {
    const line = '--link-rate-bps 2.5G --rto-ms 20 --ack-every 4 --base-rtt-us auto --mss 500';
    expect(options(`--send 10.0.0.2 ${line}`)).toMatchObject({
      linkRateBps: 2.5e9,
      rtoMs: 20,
      ackEvery: 4,
      baseRttUs: 'auto',
      mss: 500,
    });
  });

  test.each([
    ['-n 5M', { amount: { kind: 'bytes', bytes: 5e6 }, parallel: 1, timeoutSeconds: 5 }],
    ['', { amount: { kind: 'time', seconds: 10 }, intervalSeconds: 1 }],
    ['--dscp 46', { dscp: 46 }],
    ['--admit-below 0.3', { admission: { loadBelow: 0.3 } }],
    ['--admit-below 0.3 --admit-within-ms 20', { admission: { loadBelow: 0.3, within: 2e10 } }],
    ['-t 3 -P 2 -b 100M --first-flow 0', { parallel: 2, rate: 1e8, firstFlow: 0 }],
  ])("of flows are taken over: '%s'", (line, send) => {
    expect(sendOptions('10.0.0.2', checked(`--send 10.0.0.2 ${line}`))).toMatchObject(send);
  });

  test.each([
    ['--feedback notification', 'data', 'notification', 'sender'],
    ['--feedback probe', 'probe', 'response', 'sender'],
    ['--feedback receiver', 'data', 'window', 'receiver'],
    ['--feedback receiver-probe', 'probe', 'window', 'receiver'],
    ['--collect probe', 'probe', 'response', 'sender'],
    ['--return notification', 'data', 'notification', 'sender'],
    ['--control-at receiver', 'data', 'window', 'receiver'],
    ['--collect data --return ack --control-at sender', 'data', 'ack', 'sender'],
  ])('%s asks for telemetry in %s, returned by %s, used at the %s', (line, ...route) => {
    const { collectBy, returnBy, algorithmAt } = routeOf(checked(line));
    expect([collectBy, returnBy, algorithmAt]).toEqual(route);
  });

  test.each([
    '--collect-every 4 --ack-every 2 --flow-count receiver --links hidden',
    '--switches-choose --ack-every 2 --links hidden --keys k',
    '--paths 1 --framing rocev2 --loss-recovery go-back-n',
    '--loss-recovery selective-repeat --paths 4',
    '--coordination k --coordination-hold-ms 5 --source-rerouting off --paths 1',
    '--rate 1M --send 10.0.0.2 --trace f',
    '--framing rocev2 --operation read --coordination k',
    '--coordination k --feedback receiver',
    '--source-routing n --ip-version ipv6 --loss-recovery selective-repeat --balancing mrc',
    '--source-routing n --ip-version ipv6 --paths 2 --keys k',
    '--switch-responses --queue-measure sojourn --plausibility on --flow-count receiver',
    '--switch-responses --feedback receiver --transport udp',
    '--switch-responses --answer-keys a --keys k',
    '--switch-responses --answer-keys a',
    '--listing plain --max-stage 0',
    '--listing averaged --algorithm hpccpp --framing rocev2',
    '--switch-responses only --loss-recovery selective-repeat --ack-every 2 --transport udp',
    '--switch-responses only --answer-keys a --keys k --wai-bytes 9 --max-stage 2 --algorithm hpccpp',
    '--switch-responses --framing hpcc --coordination k --loss-recovery selective-repeat',
    '--keys k --queue-capacity-bytes 200K --fastest-link-bps 10G',
    '--keys k --plausibility off --queue-measure sojourn --feedback probe',
    '--plausibility on --queue-capacity-bytes 1M --framing rocev2',
    '--queue-measure length --framing rocev2',
    '--send 10.0.0.2 --dscp 46 --framing rocev2 --operation write',
    '--dscp 0 --framing rocev2 --operation read',
    '--tcp --trace f --tcp-ports 80 --tcp-observe --probe-interval-ms 2',
  ])('%s go together', (line) => {
    const all = /--tcp|--send/.test(line) ? line : `--send 10.0.0.2 ${line}`;
    expect(() => checked(all)).not.toThrow();
  });

  test.each([
    ['--collect-every 4 --feedback probe', '--collect-every is about data'],
    ['--collect-every 4 --collect probe', '--collect-every is about data'],
    ['--links hidden --feedback receiver', '--links hidden keeps links from the sender'],
    ['--rounds-end-by timer', '--rounds-end-by timer is about rounds at the receiver'],
    ['--paths 4 --control-at receiver', '--paths needs the links of each path at the sender'],
    ['--paths 4 --links hidden', '--paths needs the links of each path, which --links hidden'],
    ['--paths 4 --transport udp', '--paths needs a source port per path'],
    ['--coordination k --paths 2', '--coordination needs one path per flow'],
    ['--coordination k --transport udp', '--coordination needs --transport packet'],
    ['--base-rtt-us auto --feedback receiver', 'T is measured by senders with --framing hpcc'],
    ['--base-rtt-us auto --framing rocev2', 'T is measured by senders with --framing hpcc'],
    ['--base-rtt-us auto --coordination k', 'T is measured by senders with --framing hpcc'],
    ['--coordination-hold-ms 5', '--coordination-hold-ms would have no effect'],
    ['--source-routing n', '--source-routing is in IPv6 destinations: it needs --ip-version ipv6'],
    ['--source-routing n --ip-version ipv4', 'it needs --ip-version ipv6'],
    ['--source-routing n --ip-version ipv6 --carrier ifa', '--ip-version ipv6 is about INT'],
    ['--source-routing n --ip-version ipv6 --transport udp', '--ip-version ipv6 needs'],
    ['--source-routing n --ip-version ipv6 --framing rocev2', 'is about --framing hpcc'],
    ['--source-routing n --ip-version ipv6 --coordination k', 'and --coordination switches'],
    ['--source-routing n --tcp', '--source-routing is about the own transport'],
    ['--source-rerouting off', '--source-rerouting is about notifications'],
    ['--framing rocev2 --transport udp', '--framing rocev2 needs --transport packet'],
    ['--operation read', '--operation needs --framing rocev2'],
    ['--carrier ioam --framing rocev2', '--framing rocev2 has telemetry behind UDP only'],
    ['--paths 2 --framing rocev2', '--paths is about --framing hpcc'],
    ['--links hidden --framing rocev2', '--links is about --framing hpcc'],
    ['--flow-count receiver --framing rocev2', '--flow-count is about --framing hpcc'],
    ['--collect-every 2 --framing rocev2', '--collect-every is about --framing hpcc'],
    [
      '--loss-recovery selective-repeat --framing rocev2',
      '--loss-recovery is about --framing hpcc',
    ],
    ['--switch-responses --links hidden', '--switch-responses tells of a link, and --links hidden'],
    ['--switch-responses --carrier ioam', '--switch-responses are asked for by a flag of INT'],
    ['--queue-measure sojourn --carrier ifa', '--queue-measure sojourn is an instruction of INT'],
    ['--switch-responses --keys k', 'refused unless signed with --keys: they need --answer-keys'],
    ['--switch-responses only --feedback probe', 'only leaves no telemetry to bring back'],
    ['--switch-responses only --feedback receiver', 'only leaves no telemetry to bring back'],
    ['--switch-responses only --return notification', 'only leaves no telemetry to bring back'],
    ['--switch-responses only --paths 2', 'only leaves no telemetry: --paths'],
    ['--switch-responses only --base-rtt-us auto', 'only leaves no telemetry: --paths'],
    ['--switch-responses only --coordination k', 'only leaves no telemetry: --paths'],
    ['--switch-responses only --admit-below 0.5', 'only leaves no telemetry: --paths'],
    ['--switch-responses only --algorithm hpcc', 'only needs --algorithm hpccpp'],
    ['--switch-responses only --algorithm swift', 'only needs --algorithm hpccpp'],
    ['--switch-responses only --collect-every 2', '--collect-every is about telemetry in data'],
    ['--switch-responses only --samples-per-window 2', '--samples-per-window is about telemetry'],
    ['--switch-responses only --queue-measure sojourn', '--queue-measure is about telemetry'],
    ['--switch-responses only --switches-choose', '--switches-choose is about telemetry in data'],
    ['--switch-responses only --plausibility on', '--plausibility is about telemetry in data'],
    ['--switch-responses only --flow-count receiver', '--flow-count is about telemetry in data'],
    ['--switch-responses only --listing plain', '--listing is about telemetry in data'],
    ['--listing plain --algorithm powertcp', '--listing plain is about --algorithm hpccpp'],
    ['--listing averaged --algorithm hpccpp-lean', '--listing averaged is about --algorithm'],
    ['--tcp --listing plain', '--listing is about the own transport'],
    ['--switch-responses only --dscp 8', '--dscp is the place of the subscription'],
    ['--switch-responses only --keys k', 'refused unless signed with --keys: they need'],
    ['--answer-keys k', '--answer-keys would have no effect: it needs --switch-responses'],
    ['--switch-responses --answer-keys k --framing rocev2', 'is about --framing hpcc'],
    ['--switch-responses --framing rocev2', '--switch-responses is about --framing hpcc'],
    ['--queue-measure sojourn --framing rocev2', '--queue-measure is about --framing hpcc'],
    ['--queue-capacity-bytes 1M', '--queue-capacity-bytes is a limit of --plausibility'],
    ['--fastest-link-bps 1G', '--fastest-link-bps is a limit of --plausibility'],
    [
      '--keys k --plausibility off --queue-capacity-bytes 1M',
      '--queue-capacity-bytes is a limit of --plausibility, which is off',
    ],
    [
      '--keys k --plausibility off --fastest-link-bps 1M',
      '--fastest-link-bps is a limit of --plausibility, which is off',
    ],
    ['--send 10.0.0.2 --dscp 23', '--dscp 23 is that of INT'],
    ['--dscp 46', '--dscp is about flows that are sent: it needs --send'],
    ['--send 10.0.0.2 --dscp 46 --framing rocev2 --operation read', '--dscp is about data of this'],
    ['--switches-choose --feedback probe', '--switches-choose is about data that asks: probes'],
    ['--switches-choose --paths 2', '--switches-choose is about data that asks: probes'],
    ['--switches-choose --coordination k', '--switches-choose is about data that asks: probes'],
    ['--switches-choose --base-rtt-us auto', '--switches-choose is about data that asks: probes'],
    ['--switches-choose --carrier ioam', '--switches-choose is about INT'],
    ['--switches-choose --framing rocev2', '--switches-choose is about --framing hpcc'],
    ['--admit-below 0.5', '--admit-below is about flows that are sent: it needs --send'],
    [
      '--send 10.0.0.2 --admit-below 0.5 --admit-within-ms 5000',
      '--admit-within-ms must be below --timeout',
    ],
    ['--send 10.0.0.2 --admit-within-ms 5', '--admit-within-ms would have no effect'],
    [
      '--send 10.0.0.2 --admit-below 0.5 --feedback receiver',
      '--admit-below needs telemetry at the sender',
    ],
    ['--send 10.0.0.2 --admit-below 0.5 --base-rtt-us auto', '--admit-below counts in T'],
    ['--send 10.0.0.2 --admit-below 0.5 --framing rocev2', '--admit-below is about --framing hpcc'],
    ['--plausibility on --tcp', '--plausibility is about the own transport'],
    ['--bytes 5 --time 3', '--bytes and --time both say how much is sent'],
    ['--trace f', '--trace is about flows that are controlled here: it needs --send, or'],
    ['--warm-up 2', '--warm-up is about flows that are sent: it needs --send'],
    [
      '--feedback ack --return ack',
      '--feedback is a name for --collect, --return and --control-at',
    ],
    ['--feedback ack --collect data', '--feedback is a name for'],
    ['--feedback ack --control-at sender', '--feedback is a name for'],
    [
      '--collect data --return response',
      '--collect, --return and --control-at do not go together: responses are answers to probes',
    ],
  ])('%s are refused', (line, message) => {
    expect(() => checked(line)).toThrow(message);
  });

  test('are those of the table, each once in the help text, in sections', () => {
    for (const place of PLACES) {
      const { command } = parse('', place);
      const help = command.helpInformation();
      for (const name of settingsOn(place)) {
        expect(help.split(new RegExp(`${optionOf(name)}\\b(?!-)[^\\n]*  `))).toHaveLength(2);
        expect(help).toContain(SETTINGS[name].section);
      }
      expect(help.includes('--tcp ')).toBe(place === 'agent');
    }
  });
});

describe('old names', () => {
  const spelled = (line: string, place: Place) => {
    const notes: string[] = [];
    const { settings } = parse(line, place, (text) => notes.push(text));
    const { interface: _, ...rest } = settings;
    return { settings: rest, notes };
  };

  test.each<[Place, string, Settings, string]>([
    ['scenario', '--eta 0.9', { targetUtilization: 0.9 }, '--target-utilization'],
    ['scenario', '--segment-bytes 500', { mss: 500 }, '--mss'],
    ['scenario', '--acknowledge-every 4', { ackEvery: 4 }, '--ack-every'],
    ['scenario', '--base-rtt-ns 8500', { baseRttUs: 8.5 }, '--base-rtt-us'],
    ['agent', '--hide-links', { links: 'hidden' }, '--links hidden'],
    ['send', '--count-flows', { flowCount: 'receiver' }, '--flow-count receiver'],
    ['send', '--no-source-rerouting', { sourceRerouting: 'off' }, '--source-rerouting off'],
  ])('of %s: %s means %j, and says so', (place, line, settings, today) => {
    expect(spelled(line, place)).toEqual({
      settings,
      notes: [
        `hpcc: ${line.split(' ')[0]} is now ${today}; the old name goes with the next version`,
      ],
    });
  });

  test('say nothing unless used, and do not stand beside those of today', () => {
    expect(spelled('', 'agent')).toEqual({ settings: {}, notes: [] });
    expect(() => spelled('--links hidden --hide-links', 'send')).toThrow(
      '--hide-links is the old name of --links: give one of them',
    );
    expect(() => spelled('--eta 2', 'scenario')).toThrow('must be a number above 0, at most 1');
  });
});

test.each([
  ['--switch-responses --links hidden', { switchResponses: 'on', links: 'hidden' }],
  ['--links hidden --switch-responses', { switchResponses: 'on', links: 'hidden' }],
  ['--switch-responses off', { switchResponses: 'off' }],
])('a state alone is on: %s', (line, settings) => {
  expect(parse(line).settings).toMatchObject(settings);
});

test('a state alone takes no argument of its command', () => {
  const program = new Command();
  const command = withSettings(program.command('send').argument('<ipv4>'), 'send');
  program.parse(['send', '-i', 'eth0', '--switch-responses', '10.0.0.2'], { from: 'user' });
  expect(command.args).toEqual(['10.0.0.2']);
});

test.each([['gamma=0.9,expectedFlows=10', { gamma: 0.9, expectedFlows: 10 }]])(
  'constants of an algorithm: %s',
  (text, constants) => {
    expect(parse(`--constants ${text}`).settings).toMatchObject({ constants });
    expect(() => parse('--constants gamma')).toThrow('must be NAME=NUMBER, parted by commas');
  },
);

test.each(PLACES)('acknowledgements of %s wait as long as they are told', (place) => {
  const { settings } = parse('--ack-every 8 --ack-delay-us 2.5', place);
  expect(configurationOf(settings).feedback).toMatchObject({
    acknowledgeEvery: 8,
    acknowledgeDelay: 2_500_000,
  });
  expect(() => checked('--ack-delay-us 2.5')).toThrow('it needs --ack-every');
  expect(() => parametersSchema.parse({ ackDelayUs: 2.5 })).toThrow('it needs ackEvery');
});

describe('options of the control of TCP', () => {
  const options = (line: string) => checked(`--tcp ${line}`);

  test('leave what is measured or has a default of its own open', () => {
    expect(options('')).toEqual({ interface: 'eth1', tcp: true });
  });

  test('are taken over', () => {
    const line = '--tcp-ports 80,5201 --rewrite-window --base-rtt-us 2500 --link-rate-bps 1G';
    expect(options(`${line} --max-stage 5`)).toMatchObject({
      tcpPorts: [80, 5201],
      rewriteWindow: true,
      baseRttUs: 2500,
      linkRateBps: 1e9,
      maxStage: 5,
    });
  });

  test.each([
    ['--probe-interval-ms 3', '--probe-interval-ms would have no effect: it needs --tcp-observe'],
    ['--tcp-observe --rewrite-window', '--rewrite-window is control'],
    ['--send 10.0.0.2', '--send is about the own transport'],
    ['--mss 500', '--mss is about the own transport'],
    ['--transport udp', '--transport is about the own transport'],
    ['--ack-every 4', '--ack-every is about the own transport'],
  ])('that would have no effect are refused: %s', (line, message) => {
    expect(() => options(line)).toThrow(message);
  });

  test.each(['--rewrite-window', '--tcp-ports 80', '--tcp-observe', '--probe-interval-ms 1'])(
    '%s needs --tcp',
    (line) => {
      expect(() => checked(line)).toThrow(`${line.split(' ')[0] ?? ''} needs --tcp`);
    },
  );
});
