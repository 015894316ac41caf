"""Reads lines of OTLP/JSON by the definitions of OpenTelemetry, and prints what it found as one JSON object.

Unknown fields and wrong types are errors. The one thing that OTLP has otherwise than protobuf's own JSON is undone before
that: ids are hexadecimal and not base64.
"""

import base64
import json
import sys

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1 import trace_pb2

LENGTHS = {"traceId": 16, "spanId": 8, "parentSpanId": 8}


def without_hexadecimal(value):
    if isinstance(value, list):
        return [without_hexadecimal(item) for item in value]
    if not isinstance(value, dict):
        return value
    result = {}
    for name, item in value.items():
        if name in LENGTHS:
            raw = bytes.fromhex(item)
            if len(raw) != LENGTHS[name] or not any(raw):
                raise ValueError(f"{name} is no id: {item}")
            item = base64.b64encode(raw).decode()
        result[name] = without_hexadecimal(item)
    return result


def main():
    spans, services = [], set()
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            request = ExportTraceServiceRequest()
            json_format.ParseDict(without_hexadecimal(json.loads(line)), request)
            for resource in request.resource_spans:
                for attribute in resource.resource.attributes:
                    if attribute.key == "service.name":
                        services.add(attribute.value.string_value)
                for scope in resource.scope_spans:
                    spans += scope.spans
    known = {(span.trace_id, span.span_id) for span in spans}
    orphans = [span for span in spans if span.parent_span_id and (span.trace_id, span.parent_span_id) not in known]
    by_id = {(span.trace_id, span.span_id): span for span in spans}

    def path(span):
        parent = by_id.get((span.trace_id, span.parent_span_id)) if span.parent_span_id else None
        return (path(parent) if parent else []) + [span.name]

    print(
        json.dumps(
            {
                "spans": len(spans),
                "distinct": len(known),
                "traces": len({span.trace_id for span in spans}),
                "services": sorted(services),
                "kinds": sorted({trace_pb2.Span.SpanKind.Name(span.kind) for span in spans}),
                "statuses": sorted({trace_pb2.Status.StatusCode.Name(span.status.code) for span in spans}),
                "orphans": len(orphans),
                "backwards": sum(span.end_time_unix_nano < span.start_time_unix_nano for span in spans),
                "paths": sorted({" > ".join(path(span)) for span in spans}),
            }
        )
    )


main()
