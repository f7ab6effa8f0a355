import { writeUint16, writeUint24, writeUint32 } from '../../common/wire/bytes';
import type { FlowToken } from '../../common/wire/hpcc/hpcc-transport';
import {
  FLOW_TOKEN_LENGTH,
  isSameToken,
  readFlowToken,
  writeFlowToken,
} from '../../common/wire/hpcc/hpcc-transport';
import type { KeyRing, MacFunction } from './key-ring';

/** Randomness and hashes for the opening of flows; the core has neither. */
export interface OpeningOptions {
  /** 64 random bits that nobody guesses, new ones for each flow. */
  readonly nonce: () => FlowToken;
  /** 32 random bytes of this process, from which its cookies are made. */
  readonly secret: Uint8Array;
  readonly mac: MacFunction;
}

/** The flow that a token is about. */
export interface FlowName {
  readonly sourceAddress: number;
  readonly destinationAddress: number;
  readonly flowId: number;
  readonly generation: number;
  /**
   * Nonce that its first packets carried; undefined for a flow that carries a proof from the first one on.
   */
  readonly nonce: FlowToken | undefined;
}

/**
 * Tokens that tell the packets of a flow from forged ones (docs/wire-formats.md). A receiver gives each
 * address a cookie, which it need not remember (as SYN cookies, and Retry of RFC 9000); a sender that
 * has got it shows a code over it, over the flow's id and over its generation: under a key of both
 * hosts where they have keys.
 */
export class FlowTokens {
  readonly #options: OpeningOptions;
  readonly #keyRing: KeyRing | undefined;

  constructor(options: OpeningOptions, keyRing: KeyRing | undefined) {
    this.#options = options;
    this.#keyRing = keyRing;
  }

  /** Makes the token of a sender that has no cookie yet. */
  nonce(): FlowToken {
    return this.#options.nonce();
  }

  /** The cookie of whoever receives at that address. */
  cookieFor(address: number): FlowToken {
    const message = new Uint8Array(4);
    writeUint32(message, 0, address);
    return readFlowToken(this.#options.mac(this.#options.secret, message), 0);
  }

  /** Returns the token of a sender with that cookie. */
  proof(cookie: FlowToken, flow: FlowName): FlowToken {
    const key = this.#keyRing?.key(this.#keyRing.signing);
    return this.#code(cookie, flow, key ?? NO_KEY);
  }

  /** True if the token proves that the sender has the cookie of its address, and a key if there are any. */
  isProof(token: FlowToken, flow: FlowName): boolean {
    const cookie = this.cookieFor(flow.sourceAddress);
    const keys = this.#keyRing?.all() ?? [NO_KEY];
    return keys.some((key) => isSameToken(this.#code(cookie, flow, key), token));
  }

  #code(cookie: FlowToken, flow: FlowName, key: Uint8Array): FlowToken {
    const message = new Uint8Array(LABEL.length + 2 * FLOW_TOKEN_LENGTH + 13);
    message.set(LABEL);
    writeFlowToken(cookie, message, LABEL.length);
    const at = LABEL.length + FLOW_TOKEN_LENGTH;
    writeUint32(message, at, flow.sourceAddress);
    writeUint32(message, at + 4, flow.destinationAddress);
    writeUint24(message, at + 8, flow.flowId);
    writeUint16(message, at + 11, flow.generation);
    writeFlowToken(flow.nonce ?? NO_NONCE, message, at + 13);
    return readFlowToken(this.#options.mac(key, message), 0);
  }
}

/** 'HPCC++OPEN1': the same key makes codes of other messages. */
const LABEL = Uint8Array.from([0x48, 0x50, 0x43, 0x43, 0x2b, 0x2b, 0x4f, 0x50, 0x45, 0x4e, 0x31]);
const NO_NONCE: FlowToken = { high: 0, low: 0 };
/** Without keys the cookie alone is the secret. */
const NO_KEY = new Uint8Array(32);
