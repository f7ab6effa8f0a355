import type { Command } from 'commander';
import { runAgent } from '../../host-agent/io/live/run-agent';
import { runTcpAgent } from '../../host-agent/io/tcp/run-tcp-agent';
import { OWN_PROCESS } from '../../common/io/surroundings';
import type { Surroundings } from '../../common/io/surroundings';
import {
  agentOptions,
  checkHostOptions,
  sendOptions,
  tcpAgentOptions,
  withHostOptions,
} from '../shared/agent-options';
import type { HostFlags } from '../shared/host-flags';

/** A host that stays: it receives, and sends too when it is told where. */
export function registerAgent(program: Command, surroundings: Surroundings = OWN_PROCESS): void {
  const command = program
    .command('agent')
    .summary('run a host on a network interface')
    .description(
      'Receives flows of hpcc send and of other agents until SIGTERM or SIGINT, and prints what it ' +
        'did as one line of JSON. Events go to standard error as JSON lines. Needs root or ' +
        'CAP_NET_RAW, or --transport udp; see docs/agent.md. With --tcp it controls the TCP ' +
        'connections of the kernel instead, which needs CAP_NET_ADMIN too; see docs/tcp.md.',
    );
  withHostOptions(command, { isAgent: true, logLevel: 'info' });
  const print = (report: object): void => surroundings.write(1, `${JSON.stringify(report)}\n`);
  command.action(async (flags: HostFlags) => {
    checkHostOptions(command, flags, flags.send !== undefined);
    if (flags.tcp === true) {
      print(await runTcpAgent(tcpAgentOptions(command, flags), surroundings));
      return;
    }
    const { send: destination } = flags;
    const send = destination === undefined ? {} : { send: sendOptions(destination, flags) };
    const run = { agent: agentOptions(flags), ...send, staysOn: true };
    print(await runAgent(run, surroundings));
  });
}
