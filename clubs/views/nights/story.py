"""The page with the story of a night."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_cookie

from clubs.access.visit import enter
from clubs.link_previews import previews
from clubs.link_previews.tags import tags_of
from clubs.play_off_page.report import mail_of
from clubs.stories.story import is_over, story_of
from clubs.views.nights.night import evening_of
from scoresheets.link_previews.image import image_response


@require_safe
@vary_on_cookie
@cache_control(private=True, no_cache=True)
def night_story(request: HttpRequest, slug: str, pk: int) -> TemplateResponse:
    """What happened, once the night is over, with a score curve and the trophies; before, when the story comes."""
    visit = enter(request, slug)
    evening = evening_of(visit, pk)
    night, story = evening.night, story_of(evening)
    context = {
        "visit": visit, "club": visit.club, "night": night, "here": "nights", "story": story,
        "is_over": is_over(evening),
    }  # fmt: skip
    if story:
        picture = reverse("night_story_preview", args=[visit.club.slug, night.pk])
        tags = tags_of(request, visit.club, previews.of_story(story), picture)
        context |= {"link_preview": tags, "mail": mail_of(night, [*story.plain, "", tags.address])}
        context["drawing"] = story.drawing
        context["photos"] = list(night.photos.without_pictures())
    return TemplateResponse(request, "clubs/stories/story.html", context)


@require_safe
def night_story_preview(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The picture that a chat shows with the link."""
    story = story_of(evening_of(enter(request, slug), pk))
    if story is None:
        raise Http404
    return image_response(request, previews.of_story(story))
