#ifndef KNOT_CSIGNING_SHIM_H
#define KNOT_CSIGNING_SHIM_H

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// HMAC-SHA256 of `length` bytes into the 32 bytes at `code`; 1 on success.
static inline int knot_hmac_sha256(
    const uint8_t *_Nonnull key, size_t key_length, const uint8_t *_Nullable bytes, size_t length,
    uint8_t *_Nonnull code) {
    unsigned int written = 0;
    static const uint8_t nothing = 0;
    return HMAC(EVP_sha256(), key, (int)key_length, bytes ? bytes : &nothing, length, code, &written) != NULL &&
           written == 32;
}

/// An encrypted key has no password here, and nobody is asked for one.
static inline int knot_no_password(
    char *_Nullable buffer, int size, int is_written, void *_Nullable context) {
    (void)buffer, (void)size, (void)is_written, (void)context;
    return -1;
}

/// The private key of a PEM text, to be freed by `EVP_PKEY_free`; null where there is none on the curve P-256.
static inline EVP_PKEY *_Nullable knot_read_p256_key(const uint8_t *_Nonnull pem, size_t length) {
    BIO *text = BIO_new_mem_buf(pem, (int)length);
    if (!text) return NULL;
    EVP_PKEY *key = PEM_read_bio_PrivateKey(text, NULL, knot_no_password, NULL);
    BIO_free(text);
    char group[32] = "";
    if (key && EVP_PKEY_is_a(key, "EC") && EVP_PKEY_get_group_name(key, group, sizeof group, NULL) == 1 &&
        strcmp(group, "prime256v1") == 0)
        return key;
    EVP_PKEY_free(key);
    return NULL;
}

/// Signs `length` bytes with ECDSA over their SHA-256; writes r and s, each as 32 bytes, to `signature`; 1 on success.
static inline int knot_es256(
    EVP_PKEY *_Nonnull key, const uint8_t *_Nonnull bytes, size_t length, uint8_t *_Nonnull signature) {
    uint8_t der[80];
    size_t der_length = sizeof der;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int done = context && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) == 1 &&
               EVP_DigestSign(context, der, &der_length, bytes, length) == 1;
    EVP_MD_CTX_free(context);
    if (!done) return 0;
    const uint8_t *next = der;
    ECDSA_SIG *pair = d2i_ECDSA_SIG(NULL, &next, (long)der_length);
    if (!pair) return 0;
    done = BN_bn2binpad(ECDSA_SIG_get0_r(pair), signature, 32) == 32 &&
           BN_bn2binpad(ECDSA_SIG_get0_s(pair), signature + 32, 32) == 32;
    ECDSA_SIG_free(pair);
    return done;
}

#endif
