"""Checks the vectors with nothing but `cryptography`: prints which proofs are valid, as JSON."""
import base64, contextlib, json, re, sys
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils
def once(pairs):
    assert len(dict(pairs)) == len(pairs) and "__proto__" not in dict(pairs)
    return json.dumps(pairs, ensure_ascii=False).encode() and dict(pairs)
def number(text):
    assert not text.isdigit() or int(float(text)) == int(text)
    return int(float(text)) if int(float(text)) == float(text) else float(text)
def decoded(part):
    raw = base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    assert base64.urlsafe_b64encode(raw).rstrip(b"=").decode() == part
    return raw
def strict(part):
    text = decoded(part).decode()
    assert text[0] == "{" and "\\u0000" not in text and "[" * 32 not in text
    return json.loads(text, object_pairs_hook=once, parse_int=number, parse_float=number)
def signed(key, data, signature):
    if "y" not in key: return ed25519.Ed25519PublicKey.from_public_bytes(decoded(key["x"])).verify(signature, data)
    der = utils.encode_dss_signature(*(int.from_bytes(half, "big") for half in (signature[:32], signature[32:])))
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b"\4" + decoded(key["x"]) + decoded(key["y"]))
    point.verify(der, data, ec.ECDSA(hashes.SHA256()))
def check(known, asked):
    head, body, tail = re.fullmatch(r"([\w-]+)\.([\w-]+)\.([\w-]+)", asked["proof"], re.A).groups()
    header, claims, agent, now = strict(head), strict(body), known["agent_id"], known["now"]
    assert len(asked["proof"]) <= 8192 and set(header) == {"typ", "alg", "kid"} and header["typ"] == "agent-intent+jwt"
    [key] = [key for key in asked["public_keys"] if header["kid"] in (key["kid"], f"{agent}#{key['kid']}")]
    assert header["alg"] in ({"EdDSA", "Ed25519"} if key["alg"] == "EdDSA" else {"ES256"})
    assert claims["iss"] == agent and any(claims["aud"] in (name, [name]) for name in known["service"]["audiences"])
    iat, exp, most = claims["iat"], claims["exp"], known["service"]["max_seconds"]
    assert type(iat) is type(exp) is int and 0 <= iat < exp <= iat + most and iat <= now + 5 and now < exp + 5
    assert re.fullmatch(r"[A-Za-z0-9._~-]{16,128}", claims["jti"]) and len(decoded(tail)) == 64
    if "intent" not in claims: assert asked["required"] != "intent" and asked["intent"]["target"] == claims["target"]
    else: assert json.dumps(claims["intent"], sort_keys=True) == json.dumps(asked["intent"], sort_keys=True)
    signed(key, f"{head}.{body}".encode(), decoded(tail))
def valid(known, vector):
    with contextlib.suppress(Exception): return check(known, {**known["defaults"], **vector}) is None
known = json.load(open(sys.argv[1]))
print(json.dumps({vector["name"]: valid(known, vector) is True for vector in known["vectors"]}))
