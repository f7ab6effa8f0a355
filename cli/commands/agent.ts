import type { Command } from 'commander';
import { runAgent } from '../../host-agent/io/live/run-agent';
import { sendOptions } from '../../host-agent/io/options/send-options';
import { OWN_PROCESS } from '../../common/io/environment';
import type { Environment } from '../../common/io/environment';
import { checkTrust, withTrust } from '../shared/trust-option';
import type { TrustFlags } from '../shared/trust-option';
import { sourcePathsOf } from '../shared/source-paths';
import { checkGiven, hostSettings, withSettings } from '../shared/setting-options';

/** A host that stays: it receives, and sends too when it is told where. */
export function registerAgent(command: Command, environment: Environment = OWN_PROCESS): void {
  command.description(
    'Receives flows of hpcc send and of other agents until SIGTERM or SIGINT, and prints what it ' +
      'did as one line of JSON. Events go to standard error as JSON lines. Needs root or ' +
      'CAP_NET_RAW, or --transport udp; see docs/agent.md. With --tcp it controls the TCP ' +
      'connections of the kernel instead, which needs CAP_NET_ADMIN too; see docs/tcp.md.',
  );
  const print = (report: object): void => environment.write(1, `${JSON.stringify(report)}\n`);
  withTrust(withSettings(command, 'agent')).action(async (flags: TrustFlags) => {
    const agent = hostSettings(command, 'agent', environment);
    const { send: destination } = agent;
    checkGiven(agent, { starts: destination !== undefined, answers: true });
    checkTrust(flags, [agent.algorithm ?? 'hpccpp']);
    if (agent.tcp === true) {
      const { runTcpAgent } = await import('../../host-agent/io/tcp/run-tcp-agent.js');
      print(await runTcpAgent(agent, environment));
      return;
    }
    const send = destination === undefined ? {} : { send: sendOptions(destination, agent) };
    const sourcePaths = await sourcePathsOf(agent);
    const run = { agent, ...send, sourcePaths, staysOn: true, trust: flags.trust };
    print(await runAgent(run, environment));
  });
}
