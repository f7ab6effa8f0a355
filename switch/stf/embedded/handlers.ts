import type { StfReply, StfRequest } from '../run/requests';
import type { VirtualSwitch } from './virtual-switch';

export type RequestOf<Kind extends StfRequest['kind']> = StfRequest & { readonly kind: Kind };

/** Carries out one kind of request. Throws StateError when it cannot be. */
type Handler<Kind extends StfRequest['kind']> = (
  target: VirtualSwitch,
  request: RequestOf<Kind>,
) => StfReply;

/** What each kind of request does to the embedded switch. */
export type Handlers = {
  readonly [Kind in StfRequest['kind']]: Handler<Kind>;
};

export type HandlersOf<Kind extends StfRequest['kind']> = Pick<Handlers, Kind>;

/** The answer to what needs none. */
export const DONE: StfReply = { kind: 'done' };
