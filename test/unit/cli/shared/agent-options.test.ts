import { Command } from 'commander';
import {
  agentOptions,
  checkHostOptions,
  sendOptions,
  tcpAgentOptions,
  withHostOptions,
} from '../../../../cli/shared/agent-options';
import type { HostFlags } from '../../../../cli/shared/host-flags';
import { HOST_OPTIONS } from '../../../../cli/shared/host-options';

function parse(line: string, isAgent = true) {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  withHostOptions(command, { isAgent, logLevel: 'info' });
  command.parse(['-i', 'eth1', ...line.split(' ').filter(Boolean)], { from: 'user' });
  return { command, flags: command.opts<HostFlags>() };
}

function checked(line: string): HostFlags {
  const { command, flags } = parse(line);
  checkHostOptions(command, flags, flags.send !== undefined);
  return flags;
}

describe('options of a host', () => {
  test.each([
    ...['-P 100000000', '--link-rate-bps 0.000000001', '-b 999999999G', '--mss 1000000'],
    ...['--rto-ms 0.0000001', '--base-rtt-us 1e-300', '--base-rtt-us 1e309', '--hop-limit 32'],
    ...['-t 1e300', '--interval 1e-9', '--timeout NaN', '--first-flow 65536', '--paths 65'],
    ...['--dscp 64', '--dscp -1', '--queue-capacity-bytes 0', '--fastest-link-bps 999'],
    ...['--start-at 99999999999', '--ack-every 65536', '--target-utilization 1.1'],
  ])('have ends, beyond which a run would hang or fill the memory: %s', (line) => {
    expect(() => parse(`--send 10.0.0.2 ${line}`)).toThrow(/is invalid\. must be /);
  });

  test('leave what has a default of its own open', () => {
    expect(agentOptions(checked(''))).toMatchObject({
      ...{ interface: 'eth1', transport: 'packet', baseRttUs: 1000, hopLimit: 8 },
      ...{ retransmissionMs: 50, acknowledgeEvery: 1, logLevel: 'info', checksum: false },
      feedback: { collectBy: 'data', returnBy: 'ack', algorithmAt: 'sender' },
    });
    expect(agentOptions(checked(''))).not.toHaveProperty('linkRate');
  });

  test('have their units and names', () => {
    const line = '--link-rate-bps 2.5G --rto-ms 20 --ack-every 4 --base-rtt-us auto --mss 500';
    expect(agentOptions(checked(line))).toMatchObject({
      ...{
        linkRate: 2.5e9,
        retransmissionMs: 20,
        acknowledgeEvery: 4,
        baseRttUs: 'auto',
        mss: 500,
      },
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
    const { collectBy, returnBy, algorithmAt } = agentOptions(checked(line)).feedback;
    expect([collectBy, returnBy, algorithmAt]).toEqual(route);
  });

  test.each([
    '--collect-every 4 --ack-every 2 --count-flows --hide-links',
    '--switches-choose --ack-every 2 --hide-links --keys k',
    '--paths 1 --framing rocev2 --loss-recovery go-back-n',
    '--loss-recovery selective-repeat --paths 4',
    '--coordination k --coordination-hold-ms 5 --no-source-rerouting --paths 1',
    '--rate 1M --send 10.0.0.2 --trace f',
    '--framing rocev2 --operation read --coordination k',
    '--switch-responses --queue-measure sojourn --plausibility on --count-flows',
    '--switch-responses --feedback receiver --transport udp',
    '--switch-responses --answer-keys a --keys k',
    '--switch-responses --answer-keys a',
    '--switch-responses --framing hpcc --coordination k --loss-recovery selective-repeat',
    '--keys k --queue-capacity-bytes 200K --fastest-link-bps 10G',
    '--keys k --plausibility off --queue-measure sojourn --feedback probe',
    '--plausibility on --queue-capacity-bytes 1M --framing rocev2',
    '--queue-measure length --framing rocev2',
    '--send 10.0.0.2 --dscp 46 --framing rocev2 --operation write',
    '--dscp 0 --framing rocev2 --operation read',
    '--tcp --trace f --tcp-ports 80 --tcp-observe --probe-interval-ms 2',
  ])('%s go together', (line) => {
    expect(() => checked(line)).not.toThrow();
  });

  test.each([
    ['--collect-every 4 --feedback probe', '--collect-every is about data'],
    ['--collect-every 4 --collect probe', '--collect-every is about data'],
    ['--hide-links --feedback receiver', '--hide-links keeps links from the sender'],
    ['--rounds-end-by timer', '--rounds-end-by is about rounds at the receiver'],
    ['--paths 4 --control-at receiver', '--paths needs the links of each path at the sender'],
    ['--paths 4 --hide-links', '--paths needs the links of each path, which --hide-links'],
    ['--paths 4 --transport udp', '--paths needs a source port per path'],
    ['--coordination k --paths 2', '--coordination needs the algorithm at the sender and one'],
    ['--coordination k --feedback receiver', '--coordination needs the algorithm at the sender'],
    ['--coordination k --transport udp', '--coordination needs --transport packet'],
    ['--base-rtt-us auto --feedback receiver', '--base-rtt-us auto is measured by senders'],
    ['--base-rtt-us auto --framing rocev2', '--base-rtt-us auto is measured by senders'],
    ['--base-rtt-us auto --coordination k', '--base-rtt-us auto is measured by senders'],
    ['--coordination-hold-ms 5', '--coordination-hold-ms is about notifications'],
    ['--no-source-rerouting', '--no-source-rerouting is about notifications'],
    ['--framing rocev2 --transport udp', '--framing rocev2 needs --transport packet'],
    ['--operation read', '--operation needs --framing rocev2'],
    ['--paths 2 --framing rocev2', '--paths is about --framing hpcc'],
    ['--hide-links --framing rocev2', '--hide-links is about --framing hpcc'],
    ['--count-flows --framing rocev2', '--count-flows is about --framing hpcc'],
    ['--collect-every 2 --framing rocev2', '--collect-every is about --framing hpcc'],
    [
      '--loss-recovery selective-repeat --framing rocev2',
      '--loss-recovery is about --framing hpcc',
    ],
    ['--switch-responses --hide-links', '--switch-responses tells of a link, and --hide-links'],
    ['--switch-responses --carrier ioam', '--switch-responses are asked for by a flag of INT'],
    ['--queue-measure sojourn --carrier ifa', '--queue-measure sojourn is an instruction of INT'],
    ['--switch-responses --keys k', 'refused unless signed with --keys: they need --answer-keys'],
    ['--answer-keys k', '--answer-keys is about answers of switches: it needs --switch-responses'],
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
    ['--switches-choose --base-rtt-us auto', '--switches-choose is about data that asks, and'],
    ['--switches-choose --carrier ioam', '--switches-choose is about INT'],
    ['--switches-choose --framing rocev2', '--switches-choose is about --framing hpcc'],
    ['--admit-below 0.5', '--admit-below is about flows that are sent: it needs --send'],
    [
      '--send 10.0.0.2 --admit-below 0.5 --admit-within-ms 5000',
      '--admit-within-ms must be below --timeout',
    ],
    ['--send 10.0.0.2 --admit-within-ms 5', '--admit-within-ms is about flows that wait'],
    [
      '--send 10.0.0.2 --admit-below 0.5 --feedback receiver',
      '--admit-below needs telemetry at the sender',
    ],
    ['--send 10.0.0.2 --admit-below 0.5 --base-rtt-us auto', '--admit-below counts in T'],
    ['--send 10.0.0.2 --admit-below 0.5 --framing rocev2', '--admit-below is about --framing hpcc'],
    ['--plausibility on --tcp', '--plausibility is about the own transport'],
    ['--rate 1M --feedback receiver', '--rate limits the algorithm of the sender'],
    ['--bytes 5 --time 3', '--bytes and --time both say how much is sent'],
    ['--trace f', '--trace is about flows that are sent: it needs --send'],
    ['--rehearse 2', '--rehearse goes before flows that are sent: it needs --send'],
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

  test('stand in the help text in sections, each once', () => {
    const { command } = parse('');
    const help = command.helpInformation();
    const flags = HOST_OPTIONS.map((option) => option.flags);
    expect(new Set(flags).size).toBe(flags.length);
    for (const each of [...flags, ...HOST_OPTIONS.map(({ section }) => section)]) {
      expect(help.split(`${each}\n`).length + help.split(`${each} `).length).toBeGreaterThan(2);
    }
    expect(parse('', false).command.helpInformation()).not.toContain('--tcp');
  });
});

describe('options of the control of TCP', () => {
  const options = (line: string) => {
    const { command, flags } = parse(`--tcp ${line}`);
    checkHostOptions(command, flags, flags.send !== undefined);
    return tcpAgentOptions(command, flags);
  };

  test('leave what is measured or has a default of its own open', () => {
    expect(options('')).toEqual({
      ...{ interface: 'eth1', hopLimit: 8, logLevel: 'info', ports: [], rewritesWindows: false },
    });
    expect(options('--base-rtt-us auto')).not.toHaveProperty('baseRttUs');
  });

  test('are taken over', () => {
    const line = '--tcp-ports 80,5201 --rewrite-window --base-rtt-us 2500 --link-rate-bps 1G';
    expect(options(`${line} --max-stage 5`)).toMatchObject({
      ...{ ports: [80, 5201], rewritesWindows: true, baseRttUs: 2500, linkRate: 1e9, maxStage: 5 },
    });
  });

  test('to observe come with an interval', () => {
    expect(options('--tcp-observe').observeEveryMs).toBe(5);
    expect(options('--tcp-observe --probe-interval-ms 2.5').observeEveryMs).toBe(2.5);
  });

  test.each([
    ['--probe-interval-ms 3', '--probe-interval-ms needs --tcp-observe'],
    ['--tcp-observe --rewrite-window', '--rewrite-window is control'],
    ['--send 10.0.0.2', '--send is about the own transport'],
    ['--mss 500', '--mss is about the own transport'],
    ['--transport udp', '--transport is about the own transport'],
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
