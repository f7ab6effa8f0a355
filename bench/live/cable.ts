import { spawnSync } from 'node:child_process';
import { ipIn } from './host-star';
import { makeLeg, removeLeg } from './test-bed';
import type { Leg } from './test-bed';

export const CABLE_RECEIVER = '10.0.0.1';
export const CABLE_SENDER = '10.0.0.2';

/** Two namespaces with one cable between them: that of the receiver, and that of the sender. */
export async function withCable<Result>(
  use: (near: Leg, far: Leg) => Promise<Result>,
): Promise<Result> {
  const legs: Leg[] = [];
  try {
    const near = makeLeg();
    legs.push(near);
    const other = makeLeg();
    legs.push(other);
    const far = { ...other, inner: near.outer };
    ipIn(near.namespace, 'addr', 'add', `${CABLE_RECEIVER}/24`, 'dev', near.inner);
    spawnSync('ip', ['link', 'set', near.outer, 'netns', far.namespace]);
    ipIn(far.namespace, 'addr', 'add', `${CABLE_SENDER}/24`, 'dev', far.inner);
    ipIn(far.namespace, 'link', 'set', far.inner, 'up');
    return await use(near, far);
  } finally {
    legs.forEach(removeLeg);
  }
}
