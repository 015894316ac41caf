#ifndef KNOT_CCRYPTO_SHIM_H
#define KNOT_CCRYPTO_SHIM_H

#include <openssl/evp.h>
#include <openssl/rand.h>
#include <stddef.h>
#include <stdint.h>

/// SHA-256 of `length` bytes into the 32 bytes at `digest`; 1 on success.
static inline int knot_sha256(const uint8_t *_Nullable bytes, size_t length, uint8_t *_Nonnull digest) {
    unsigned int written = 0;
    return EVP_Digest(bytes, length, digest, &written, EVP_sha256(), NULL) == 1 && written == 32;
}

/// Fills `length` bytes from the system's cryptographic source; 1 on success.
static inline int knot_random_bytes(uint8_t *_Nonnull bytes, size_t length) {
    return RAND_bytes(bytes, (int)length);
}

#endif
