/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * The server side of QEMU's ivshmem protocol, version 0: the doorbells.
 *
 * The device (ivshmem-doorbell) is peer 0, the host is peer 1, and each has one vector. The server
 * sends all its messages before QEMU starts; QEMU reads them from the socket later.
 */
#ifndef HOST_BROKER_IVSHMEM_H
#define HOST_BROKER_IVSHMEM_H

/** Send the five messages into QEMU's socket.
 * @param ring       eventfd: host to device.
 * @param interrupt  eventfd: device to host; the device writes 1 << 16 to its doorbell register.
 * @return GG_OK, GG_ERR_IO. */
__attribute__((warn_unused_result)) int ivshmem_serve(int socket, int ring, int interrupt);

#endif /* HOST_BROKER_IVSHMEM_H */
