import type { Command } from 'commander';
import { runAgent } from '../../../host-agent/main';
import { print } from '../terminal';
import type { HostFlags, SendFlags } from './agent-options';
import { agentOptions, sendOptions, withHostOptions, withSendOptions } from './agent-options';

type AgentFlags = HostFlags & SendFlags & { readonly send?: string };

/** A host that stays: it receives, and sends too when it is told where. */
export function registerAgent(program: Command): void {
  const command = program
    .command('agent')
    .summary('run a host on a network interface')
    .description(
      'Receives flows of hpcc send and of other agents until SIGTERM or SIGINT, and prints what it ' +
        'did as one line of JSON. Events go to standard error as JSON lines. Needs root or ' +
        'CAP_NET_RAW, or --transport udp; see docs/agent.md.',
    )
    .option('--send <ipv4>', 'send flows to that host too');
  withSendOptions(withHostOptions(command, 'info')).action(async (flags: AgentFlags) => {
    const { send: destination } = flags;
    const send = destination === undefined ? {} : { send: sendOptions(destination, flags) };
    const report = await runAgent({ agent: agentOptions(flags), ...send, staysOn: true });
    print(JSON.stringify(report));
  });
}
