"""Checks a signed passport with nothing but `cryptography`, and prints it: check-passport.py <issuer> <unix time>.
On stdin: JSON with `token`, `keys` (the JWK set of the issuer) and `list` (its status list token)."""
import base64, json, sys, zlib
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils
from cryptography.hazmat.primitives.hashes import SHA256

def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

def check_signature(jwk, data, signature):
    if jwk["kty"] == "OKP":
        return ed25519.Ed25519PublicKey.from_public_bytes(decode(jwk["x"])).verify(signature, data)
    r, s = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b"\4" + decode(jwk["x"]) + decode(jwk["y"]))
    key.verify(utils.encode_dss_signature(r, s), data, ec.ECDSA(SHA256()))

def claims_of(token, typ, keys):
    signed, _, signature = token.rpartition(".")
    header, claims = (json.loads(decode(part)) for part in signed.split("."))
    assert set(header) == {"alg", "kid", "typ"} and header["typ"] == typ, "header"
    jwk = next(key for key in keys if key["kid"] == header["kid"])
    assert header["alg"] == jwk["alg"], "algorithm"
    check_signature(jwk, signed.encode(), decode(signature))
    return claims

def check(issuer, now, token, keys, status_list):
    claims = claims_of(token, "agent-passport+jwt", keys)
    assert claims["iss"] == issuer and claims["sub"].startswith(issuer + ":agents:"), "issuer"
    assert claims["vct"] == "urn:agent-identity:passport:1", "vct"
    assert max(claims["iat"], claims.get("nbf", 0)) - 5 <= now < claims["exp"] + 5, "time"
    place = claims["status"]["status_list"]
    listed = claims_of(status_list, "statuslist+jwt", keys)
    assert listed["sub"] == place["uri"] and listed["iat"] - 5 <= now < listed["iat"] + listed["ttl"] + 10, "list"
    bits, packed = listed["status_list"]["bits"], zlib.decompress(decode(listed["status_list"]["lst"]))
    at = place["idx"] * bits
    assert (packed[at // 8] >> (at % 8)) & (2**bits - 1) == 0, "revoked or suspended"
    return claims["passport"]

given = json.load(sys.stdin)
print(json.dumps(check(sys.argv[1], int(sys.argv[2]), given["token"], given["keys"], given["list"])))
