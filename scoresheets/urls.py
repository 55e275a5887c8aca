"""The addresses of a sheet."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
