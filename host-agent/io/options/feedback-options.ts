import { InputError } from '../../../common/errors';
import type { BitsPerSecond } from '../../../common/units/units';
import type { FeedbackOptions } from '../../feedback/feedback-plan';
import { FEEDBACK_PRESETS } from '../../feedback/feedback-plan';
import type { AgentOptions } from './agent-options';

/** The plan that a command line asks for; both hosts need the same. */
export function feedbackOf(options: AgentOptions): FeedbackOptions {
  const { feedback, acknowledgeEvery, collectEvery, countFlows, hideLinks } = options;
  return {
    ...FEEDBACK_PRESETS[feedback],
    acknowledgeEvery,
    ...(collectEvery !== undefined && { collectEvery }),
    countsFlows: countFlows === true,
    hidesLinks: hideLinks === true,
  };
}

/**
 * @param rateMax per flow.
 * @throws InputError for options of which one would make the other pointless.
 */
export function checkCombinations(options: AgentOptions, rateMax?: BitsPerSecond): void {
  const { feedback, transport, framing, paths, collectEvery, countFlows, hideLinks } = options;
  const { coordination, coordinationHoldMs, sourceRerouting, baseRttUs } = options;
  const isRemote = feedback === 'receiver';
  const hasPaths = paths !== undefined && paths > 1;
  const hides = hideLinks === true;
  const contradictions: readonly (readonly [boolean, string])[] = [
    [
      collectEvery !== undefined && feedback === 'probe',
      '--collect-every is about data, and with --feedback probe data collects nothing',
    ],
    [
      hides && isRemote,
      '--hide-links keeps links from the sender, who sees none with --feedback receiver',
    ],
    [
      coordination !== undefined && (isRemote || hasPaths),
      '--coordination needs the algorithm at the sender and one path per flow',
    ],
    [
      coordination !== undefined && transport === 'udp',
      '--coordination needs --transport packet: notifications come to another port',
    ],
    [
      coordination === undefined && coordinationHoldMs !== undefined,
      '--coordination-hold-ms is about notifications: it needs --coordination',
    ],
    [
      coordination === undefined && sourceRerouting === false,
      '--no-source-rerouting is about notifications: it needs --coordination',
    ],
    [
      hasPaths && isRemote,
      '--paths needs the links of each path at the sender, not --feedback receiver',
    ],
    [
      hasPaths && hides,
      '--paths needs the links of each path, which --hide-links keeps from the sender',
    ],
    [
      hasPaths && transport === 'udp',
      '--paths needs a source port per path, and --transport udp has one in all',
    ],
    [
      baseRttUs === 'auto' && (isRemote || coordination !== undefined || framing === 'rocev2'),
      '--base-rtt-us auto is measured by senders under --framing hpcc, not with --feedback ' +
        'receiver or --coordination, which need T in microseconds',
    ],
    [
      rateMax !== undefined && isRemote,
      '--rate limits the algorithm of the sender, not --feedback receiver',
    ],
  ];
  for (const [isGiven, message] of contradictions) if (isGiven) throw new InputError(message);
  if (framing !== 'rocev2') return;
  const ofOwnFraming: readonly (readonly [boolean, string])[] = [
    [hasPaths, '--paths'],
    [hides, '--hide-links'],
    [countFlows === true, '--count-flows'],
    [collectEvery !== undefined, '--collect-every'],
    [options.lossRecovery === 'selective-repeat', '--loss-recovery selective-repeat'],
  ];
  for (const [isGiven, flag] of ofOwnFraming) {
    if (isGiven) throw new InputError(`${flag} is about --framing hpcc, not about rocev2`);
  }
}
