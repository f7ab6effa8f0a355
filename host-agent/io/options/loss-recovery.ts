import type { LossRecovery } from '../../transport/recovery/loss-recovery';
import type { AgentOptions } from './agent-options';

/**
 * Switches that coordinate move flows while packets are on their way: what is late then is not lost.
 * Over RoCEv2 the receiver takes packets in order only.
 */
export function lossRecoveryOf({
  lossRecovery,
  coordination,
  framing,
}: Pick<AgentOptions, 'lossRecovery' | 'coordination' | 'framing'>): LossRecovery {
  const isMoved = coordination !== undefined && framing !== 'rocev2';
  return lossRecovery ?? (isMoved ? 'selective-repeat' : 'go-back-n');
}
