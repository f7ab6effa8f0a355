import type { Command } from 'commander';
import { InputError } from '../../common/errors';
import { runAgent } from '../../host-agent/io/live/run-agent';
import { runTcpAgent } from '../../host-agent/io/tcp/run-tcp-agent';
import { print } from '../../common/io/terminal';
import type { HostFlags, SendFlags } from '../shared/agent-options';
import {
  agentOptions,
  sendOptions,
  withHostOptions,
  withSendOptions,
} from '../shared/agent-options';
import { checkNoTcp, tcpAgentOptions, withTcpOptions } from '../shared/agent-tcp-options';
import type { TcpFlags } from '../shared/agent-tcp-options';

type AgentFlags = HostFlags & SendFlags & TcpFlags & { readonly send?: string };

/** A host that stays: it receives, and sends too when it is told where. */
export function registerAgent(program: Command): void {
  const command = program
    .command('agent')
    .summary('run a host on a network interface')
    .description(
      'Receives flows of hpcc send and of other agents until SIGTERM or SIGINT, and prints what it ' +
        'did as one line of JSON. Events go to standard error as JSON lines. Needs root or ' +
        'CAP_NET_RAW, or --transport udp; see docs/agent.md. With --tcp it controls the TCP ' +
        'connections of the kernel instead, which needs CAP_NET_ADMIN too; see docs/tcp.md.',
    )
    .option('--send <ipv4>', 'send flows to that host too');
  withTcpOptions(withSendOptions(withHostOptions(command, 'info')));
  command.action(async (flags: AgentFlags) => {
    if (flags.tcp) {
      print(JSON.stringify(await runTcpAgent(tcpAgentOptions(command, flags))));
      return;
    }
    checkNoTcp(command);
    const { send: destination } = flags;
    if (destination === undefined && flags.trace !== undefined) {
      throw new InputError('--trace is about flows that are sent: it needs --send');
    }
    const send = destination === undefined ? {} : { send: sendOptions(destination, flags) };
    const report = await runAgent({ agent: agentOptions(flags), ...send, staysOn: true });
    print(JSON.stringify(report));
  });
}
