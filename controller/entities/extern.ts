/** State of an extern that an architecture adds; its message is opaque to this library. */
export interface ExternInstance {
  readonly kind: 'extern';
  /** Name of the extern's type in P4Info. */
  readonly externType: string;
  /** Name of the instance. */
  readonly extern: string;
  readonly entry: {
    /** Such as `type.googleapis.com/vendor.v1.HashSeed`. */
    readonly typeUrl: string;
    /** The message in its binary form. */
    readonly value: Uint8Array;
  };
}
