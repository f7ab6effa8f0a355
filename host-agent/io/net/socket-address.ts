const AF_INET = 2;

/** Length of the C structure sockaddr_in. */
export const SOCKET_ADDRESS_LENGTH = 16;

/** The C structure sockaddr_in. */
export function socketAddress(address: number, port: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(SOCKET_ADDRESS_LENGTH));
  view.setUint16(0, AF_INET, true);
  view.setUint16(2, port, false);
  view.setUint32(4, address, false);
  return new Uint8Array(view.buffer);
}
