#ifndef KNOT_CSIGNING_SHIM_H
#define KNOT_CSIGNING_SHIM_H

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
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

/// One step of the generator of RFC 6979: the key becomes the code of the value, `mark` and both secrets where there are
/// any, and the value the code of itself.
static inline int knot_next_nonce_state(
    uint8_t *_Nonnull key, uint8_t *_Nonnull value, uint8_t mark, const uint8_t *_Nullable secrets) {
    uint8_t text[32 + 1 + 64];
    memcpy(text, value, 32);
    text[32] = mark;
    if (secrets) memcpy(text + 33, secrets, 64);
    int done = knot_hmac_sha256(key, 32, text, secrets ? sizeof text : 33, key) &&
               knot_hmac_sha256(key, 32, value, 32, value);
    OPENSSL_cleanse(text, sizeof text);
    return done;
}

/// A number from 1 to `order` - 1 that nobody can know without the private key, the same for the same key and digest
/// (RFC 6979, section 3.2); 1 on success.
static inline int knot_nonce(
    BIGNUM *_Nonnull nonce, const BIGNUM *_Nonnull secret, const BIGNUM *_Nonnull number,
    const BIGNUM *_Nonnull order) {
    uint8_t key[32], value[32], secrets[64];
    memset(key, 0, sizeof key);
    memset(value, 1, sizeof value);
    int done = BN_bn2binpad(secret, secrets, 32) == 32 && BN_bn2binpad(number, secrets + 32, 32) == 32 &&
               knot_next_nonce_state(key, value, 0, secrets) && knot_next_nonce_state(key, value, 1, secrets);
    while (done) {
        done = knot_hmac_sha256(key, 32, value, 32, value) && BN_bin2bn(value, 32, nonce);
        if (!done || (!BN_is_zero(nonce) && BN_cmp(nonce, order) < 0)) break;
        done = knot_next_nonce_state(key, value, 0, NULL);
    }
    OPENSSL_cleanse(key, sizeof key);
    OPENSSL_cleanse(value, sizeof value);
    OPENSSL_cleanse(secrets, sizeof secrets);
    return done;
}

/// Signs `length` bytes with ECDSA over their SHA-256, the same bytes always alike; writes r and s, each as 32 bytes, to
/// `signature`; 1 on success.
static inline int knot_es256(
    EVP_PKEY *_Nonnull key, const uint8_t *_Nonnull bytes, size_t length, uint8_t *_Nonnull signature) {
    uint8_t digest[32];
    BIGNUM *secret = NULL;
    BN_CTX *context = BN_CTX_secure_new();
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    EC_POINT *point = group ? EC_POINT_new(group) : NULL;
    BIGNUM *nonce = BN_secure_new(), *inverse = BN_secure_new(), *number = BN_new(), *r = BN_new(), *s = BN_secure_new();
    const BIGNUM *order = group ? EC_GROUP_get0_order(group) : NULL;
    int done = context && point && nonce && inverse && number && r && s && order &&
               EVP_Digest(bytes, length, digest, NULL, EVP_sha256(), NULL) == 1 &&
               EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &secret) == 1 && BN_bin2bn(digest, 32, number) &&
               BN_nnmod(number, number, order, context) && knot_nonce(nonce, secret, number, order);
    if (done) {
        BN_set_flags(nonce, BN_FLG_CONSTTIME);
        BN_set_flags(secret, BN_FLG_CONSTTIME);
        // A zero comes once in 2^256 signatures.
        done = EC_POINT_mul(group, point, nonce, NULL, NULL, context) == 1 &&
               EC_POINT_get_affine_coordinates(group, point, r, NULL, context) == 1 &&
               BN_nnmod(r, r, order, context) && !BN_is_zero(r) && BN_mod_inverse(inverse, nonce, order, context) &&
               BN_mod_mul(s, r, secret, order, context) && BN_mod_add(s, s, number, order, context) &&
               BN_mod_mul(s, s, inverse, order, context) && !BN_is_zero(s) &&
               BN_bn2binpad(r, signature, 32) == 32 && BN_bn2binpad(s, signature + 32, 32) == 32;
    }
    BN_clear_free(secret);
    BN_clear_free(nonce);
    BN_clear_free(inverse);
    BN_clear_free(s);
    BN_free(number);
    BN_free(r);
    EC_POINT_clear_free(point);
    EC_GROUP_free(group);
    BN_CTX_free(context);
    return done;
}

#endif
