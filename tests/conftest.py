"""What all tests share: on a busy machine a generated trial takes longer, and that is no mistake of its."""

from hypothesis import HealthCheck, settings

settings.register_profile("anywhere", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("anywhere")
