import { Command } from 'commander';
import { withHostOptions } from '../../../../cli/shared/agent-options';
import type { HostFlags } from '../../../../cli/shared/agent-options';
import {
  checkNoTcp,
  tcpAgentOptions,
  withTcpOptions,
} from '../../../../cli/shared/agent-tcp-options';
import type { TcpFlags } from '../../../../cli/shared/agent-tcp-options';

function parse(...argv: readonly string[]) {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  withTcpOptions(withHostOptions(command, 'info')).option('--send <ipv4>');
  command.parse(['-i', 'eth1', ...argv], { from: 'user' });
  return { command, flags: command.opts<HostFlags & TcpFlags>() };
}

const options = (...argv: readonly string[]) => {
  const { command, flags } = parse('--tcp', ...argv);
  return tcpAgentOptions(command, flags);
};

describe('options of the control of TCP', () => {
  test('leave what is measured or has a default of its own open', () => {
    expect(options()).toEqual({
      ...{ interface: 'eth1', hopLimit: 8, logLevel: 'info', ports: [], rewritesWindows: false },
    });
  });

  test('are taken over', () => {
    const argv = ['--tcp-ports', '80,5201', '--rewrite-window', '--base-rtt-us', '2500'];
    expect(options(...argv, '--link-rate-bps', '1G', '--max-stage', '5')).toMatchObject({
      ...{ ports: [80, 5201], rewritesWindows: true, baseRttUs: 2500, linkRate: 1e9, maxStage: 5 },
    });
  });

  test('to observe come with an interval', () => {
    expect(options('--tcp-observe').observeEveryMs).toBe(5);
    expect(options('--tcp-observe', '--probe-interval-ms', '2.5').observeEveryMs).toBe(2.5);
  });

  test.each([
    [['--probe-interval-ms', '3'], '--probe-interval-ms needs --tcp-observe'],
    [['--tcp-observe', '--rewrite-window'], '--rewrite-window is control'],
    [['--send', '10.0.0.2'], '--send is about the own transport'],
    [['--mss', '500'], '--mss is about the own transport'],
    [['--transport', 'udp'], '--transport is about the own transport'],
  ])('that would have no effect are refused: %j', (argv, message) => {
    expect(() => options(...argv)).toThrow(message);
  });

  test.each(['0', '65536', 'http', '80,', ''])('refuse the list of ports %j', (list) => {
    expect(() => options('--tcp-ports', list)).toThrow('ports from 1 to 65535');
  });

  test('need --tcp', () => {
    const { command } = parse('--rewrite-window');
    expect(() => checkNoTcp(command)).toThrow('--rewrite-window needs --tcp');
    expect(() => checkNoTcp(parse().command)).not.toThrow();
  });
});
